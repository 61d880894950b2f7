import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobErrors } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import { converterPool } from "../../functions/engines/run.ts";
import { installedEngines } from "../../local/engines.ts";
import { type Attack, sample } from "./support/attacks/attack.ts";
import { textBombs, xmlBombs, zipBombs } from "./support/attacks/bombs.ts";
import { depths } from "./support/attacks/depths.ts";
import { drawings } from "./support/attacks/endless/drawings.ts";
import { models } from "./support/attacks/endless/models.ts";
import { endlessPapers, papers } from "./support/attacks/endless/papers.ts";
import { texts } from "./support/attacks/endless/texts.ts";
import { references } from "./support/attacks/references.ts";
import { sizes } from "./support/attacks/sizes.ts";
import { codeOf } from "./support/convert.ts";
import { scratchFolder } from "./support/scratch.ts";

/** Files that are meant to do harm, through converter processes with the limits of the service. */

const TIME = { timeoutMs: 55_000 };
/** Of what a file of endless work could become: to draw it and to read it are different work. */
const TARGETS = 2;
const SECRET = "what stands in a file that nobody gave";

const scratch = scratchFolder();
const routes = planRoutes(new Set(installedEngines().keys()));
const ENTRY = join(import.meta.dirname, "../../functions/engines/converter.ts");
const pool = converterPool({ size: availableParallelism(), entry: ENTRY });
afterAll(() => pool.stop());

const refusals = Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : []));

/** @returns how the conversion ended, and what it left */
const run = async ({ from, bytes }: Attack, to: FormatId, [converters, limits] = [pool, TIME]) => {
  const steps = routes.find(from, to)?.steps ?? [];
  const folder = scratch.fresh();
  mkdirSync(folder);
  const running = converters.run({ input: scratch.file(await bytes()), folder, steps, options: {} }, limits);
  return running.then(
    ({ output }) => ({ ended: "converted", output }),
    async () => ({ ended: await codeOf(running), output: undefined }),
  );
};

const pairs = (attacks: readonly Attack[], targets = 1) =>
  attacks.flatMap((attack) =>
    attack.to.slice(0, targets).map((to) => ({ title: `${attack.from} → ${to}: ${attack.name}`, attack, to })),
  );

describe.each([
  ["a bomb", [...zipBombs, ...xmlBombs, ...textBombs]],
  ["what is nested without end", depths],
  ["a size that is a lie", sizes],
] as const)("%s is refused for what it is, or converted soundly", (_, attacks) => {
  test.concurrent.each(pairs(attacks))("$title", async ({ attack, to }) => {
    expect(["converted", ...refusals]).toContain((await run(attack, to)).ended);
  });
});

describe("work without end", () => {
  test.concurrent.each(pairs([...drawings, ...papers, ...models, ...texts], TARGETS))(
    "$title is refused for it, or is less than it seems",
    async ({ attack, to }) => {
      expect(["converted", ...refusals]).toContain((await run(attack, to)).ended);
    },
  );

  test("that no engine counts is ended by the limits of the process, and the next file is converted", async () => {
    const small = converterPool({ size: 1, entry: ENTRY, memoryBytesMax: 500_000_000 });
    for (const attack of endlessPapers) {
      const { ended } = await run(attack, "png", [small, { timeoutMs: 3_000 }]);
      expect(["timed_out", "out_of_memory"]).toContain(ended);
    }
    const sound: Attack = { name: "", from: "pdf", to: [], bytes: () => sample("pdf") };
    expect((await run(sound, "png", [small, TIME])).ended).toBe("converted");
    await small.stop();
  }, 60_000);
});

describe("what a file refers to", () => {
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
    const { port } = server.address() as AddressInfo;
    const places = [`http://127.0.0.1:${port}/a.png`, `file://${secret}`, secret] as const;
    const ends = await Promise.all(
      pairs(references(places)).map(async ({ title, attack, to }) => ({ title, ...(await run(attack, to)) })),
    );
    expect(ends.filter(({ ended }) => ended !== "converted" && !refusals.includes(ended))).toEqual([]);
    expect(asked).toEqual([]);
    const leaked = ends.filter(({ output }) => output !== undefined && readFileSync(output).includes(SECRET));
    expect(leaked.map(({ title }) => title)).toEqual([]);
  }, 180_000);
});
