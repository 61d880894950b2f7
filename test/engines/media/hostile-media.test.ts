import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { jobErrors } from "../../../functions/domain/errors/job-errors.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { converterPool } from "../../../functions/engines/core/run.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { IS_COMPLETE } from "../../support/run/complete.ts";
import type { Attack } from "../support/attacks/attack.ts";
import { mediaBombs } from "../support/attacks/media-bombs.ts";
import { mediaHeaders } from "../support/attacks/media-headers.ts";
import { mediaReferences } from "../support/attacks/media-references.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { childrenOf, until } from "../support/processes/processes.ts";
import { scratchFolder } from "../support/scratch.ts";

/** Malicious audio and video, converted in processes with limits. */

/** Far below the limit of the lane: no small file may use the resources of a large video. */
const TIME = { timeoutMs: 110_000 };
const MEMORY_BYTES_MAX = 3_000_000_000;
/** Maximum output bytes for a small file: five minutes of uncompressed audio, or an hour of still video. */
const RESULT_BYTES_MAX = 200_000_000;

const SECRET = "content of an unrelated file";

const engines = new Set(installedEngines().keys());
const routes = planRoutes(engines);
const scratch = scratchFolder();
const pool = converterPool({
  size: availableParallelism(),
  entry: join(import.meta.dirname, "../../../functions/engines/core/converter.ts"),
  memoryBytesMax: MEMORY_BYTES_MAX,
});
afterAll(() => pool.stop());

const refusals = Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : []));

const converting = (input: string, from: FormatId, to: FormatId, options: Options = {}) => {
  const route = routes.find(from, to);
  if (route === undefined) {
    throw new TypeError(`No route from ${from} to ${to}.`);
  }
  const folder = scratch.fresh();
  mkdirSync(folder);
  return pool.run({ input, folder, steps: route.steps, options }, TIME);
};

/** @returns how the conversion ended, and its output */
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

/** Every attack with each of its targets in the complete run; otherwise each attack once. */
const selected = (attacks: readonly Attack[]): readonly Attack[] =>
  attacks.filter(({ name }, index) => IS_COMPLETE || attacks.findIndex((other) => other.name === name) === index);

describe.skipIf(!engines.has("ffmpeg"))("malicious audio and video", () => {
  describe.each([
    ["decompression bombs", mediaBombs],
    ["false declarations", mediaHeaders],
  ] as const)("%s: rejects the file, or converts it to a bounded size", (_, attacks) => {
    test.concurrent.each(titled(selected(attacks)))("$title", { timeout: 2 * TIME.timeoutMs }, async ({ attack }) => {
      const { ended, output } = await run(attack);
      expect(["converted", ...refusals]).toContain(ended);
      expect(output === undefined ? 0 : statSync(output).size).toBeLessThan(RESULT_BYTES_MAX);
    });
  });

  describe("external references", () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(SECRET);
    });
    beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
    afterAll(() => server.close());

    test("are neither fetched nor read, in any format", async () => {
      const secret = scratch.path("secret.txt");
      writeFileSync(secret, SECRET);
      // Opening it blocks until the timeout.
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

  test("leaves no programs running, and converts the next video normally", async () => {
    await until(() => childrenOf().flatMap(childrenOf).length === 0);
    const { output } = await converting(sampleOf("mov"), "mov", "mp4");
    expect(statSync(output).size).toBeGreaterThan(1_000);
  });
});
