import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobErrors } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats.ts";
import type { Options } from "../../functions/domain/options.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import { converterPool } from "../../functions/engines/run.ts";
import { installedEngines } from "../../local/engines.ts";
import type { Attack } from "./support/attacks/attack.ts";
import { mediaBombs } from "./support/attacks/media-bombs.ts";
import { mediaLies } from "./support/attacks/media-lies.ts";
import { mediaReferences } from "./support/attacks/media-references.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { childrenOf, until } from "./support/processes.ts";
import { scratchFolder } from "./support/scratch.ts";

/** Sound and films that are meant to do harm, through converter processes. */

/** Far less than the lane has: no small file may take what a large film needs. */
const TIME = { timeoutMs: 110_000 };
const MEMORY_BYTES_MAX = 3_000_000_000;
/** Bytes of a result that a small file may become: five minutes of sound as it is sampled, or an hour of a still film. */
const RESULT_BYTES_MAX = 200_000_000;

const SECRET = "what stands in a file that nobody gave";

const engines = new Set(installedEngines().keys());
const routes = planRoutes(engines);
const scratch = scratchFolder();
const pool = converterPool({
  size: availableParallelism(),
  entry: join(import.meta.dirname, "../../functions/engines/converter.ts"),
  memoryBytesMax: MEMORY_BYTES_MAX,
});
afterAll(() => pool.stop());

const refusals = Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : []));

const converting = (input: string, from: FormatId, to: FormatId, options: Options = {}) => {
  const route = routes.find(from, to);
  if (route === undefined) {
    throw new TypeError(`There is no way from ${from} to ${to}.`);
  }
  const folder = scratch.fresh();
  mkdirSync(folder);
  return pool.run({ input, folder, steps: route.steps, options }, TIME);
};

/** @returns how the conversion ended, and what it left */
const run = async ({ from, to, bytes, options }: Attack & { readonly options?: Options }) => {
  const [target = "mp4"] = to;
  const running = converting(scratch.file(await bytes()), from, target, options);
  return running.then(
    ({ output }) => ({ ended: "converted", output }),
    async () => ({ ended: await codeOf(running), output: undefined }),
  );
};

const titled = (attacks: readonly Attack[]) =>
  attacks.map((attack) => ({ title: `${attack.from} → ${attack.to[0]}: ${attack.name}`, attack }));

describe.skipIf(!engines.has("ffmpeg"))("sound and films that do harm", () => {
  describe.each([
    ["a bomb", mediaBombs],
    ["a lie", mediaLies],
  ] as const)("%s is refused for what it is, or converted to something of a sound size", (_, attacks) => {
    test.concurrent.each(titled(attacks))("$title", { timeout: 2 * TIME.timeoutMs }, async ({ attack }) => {
      const { ended, output } = await run(attack);
      expect(["converted", ...refusals]).toContain(ended);
      expect(output === undefined ? 0 : statSync(output).size).toBeLessThan(RESULT_BYTES_MAX);
    });
  });

  describe("what they refer to", () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(SECRET);
    });
    beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
    afterAll(() => server.close());

    test("is neither fetched nor read, whatever the format", async () => {
      const secret = scratch.path("secret.txt");
      writeFileSync(secret, SECRET);
      // Who opens it waits until the time is over.
      const pipe = scratch.path("pipe.ts");
      execFileSync("mkfifo", [pipe]);
      const { port } = server.address() as AddressInfo;
      const places = [`http://127.0.0.1:${port}/a.ts`, `file://${secret}`, pipe];
      const ends = await Promise.all(
        titled(mediaReferences(places)).map(async ({ title, attack }) => ({ title, ...(await run(attack)) })),
      );
      expect(ends.filter(({ ended }) => ended !== "converted" && !refusals.includes(ended))).toEqual([]);
      expect(asked).toEqual([]);
      const leaked = ends.filter(({ output }) => output !== undefined && readFileSync(output).includes(SECRET));
      expect(leaked.map(({ title }) => title)).toEqual([]);
      expect(existsSync(join(tmpdir(), "anyform-attached"))).toBe(false);
    }, 400_000);
  });

  test("after all of it no program runs on, and the next film is converted as ever", async () => {
    await until(() => childrenOf().flatMap(childrenOf).length === 0);
    const { output } = await converting(sampleOf("mov"), "mov", "mp4");
    expect(statSync(output).size).toBeGreaterThan(1_000);
  });
});
