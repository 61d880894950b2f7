import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { converterPool } from "../../functions/engines/core/run.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { IS_COMPLETE } from "../support/run/complete.ts";
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

/** Malicious files, converted in processes with the limits of the service. */

const TIME = { timeoutMs: 55_000 };
/** Targets for files with endless work: rendering and reading are different work. */
const TARGETS = IS_COMPLETE ? 2 : 1;
const SECRET = "content of an unrelated file";

const scratch = scratchFolder();
const routes = planRoutes(new Set(installedEngines().keys()));
const ENTRY = join(import.meta.dirname, "../../functions/engines/core/converter.ts");
const pool = converterPool({ size: availableParallelism(), entry: ENTRY });
afterAll(() => pool.stop());

const refusals = Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : []));

/** @returns how the conversion ended, and its output */
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
  ["decompression bombs", [...zipBombs, ...xmlBombs, ...textBombs]],
  ["unlimited nesting", depths],
  ["false sizes", sizes],
] as const)("%s: rejects the file, or converts it safely", (_, attacks) => {
  test.concurrent.each(pairs(attacks))("$title", async ({ attack, to }) => {
    expect(["converted", ...refusals]).toContain((await run(attack, to)).ended);
  });
});

describe("endless work", () => {
  test.concurrent.each(pairs([...drawings, ...papers, ...models, ...texts], TARGETS))(
    "rejects $title, or converts it if it is harmless",
    async ({ attack, to }) => {
      expect(["converted", ...refusals]).toContain((await run(attack, to)).ended);
    },
  );

  test("stops work that no engine counts through the process limits, and converts the next file", async () => {
    const small = converterPool({ size: 1, entry: ENTRY, memoryBytesMax: 500_000_000 });
    for (const attack of endlessPapers) {
      const { ended } = await run(attack, "png", [small, { timeoutMs: 3_000 }]);
      expect(["timed_out", "out_of_memory"]).toContain(ended);
    }
    const sound: Attack = { name: "", from: "pdf", to: [], bytes: () => sample("pdf") };
    expect((await run(sound, "png", [small, TIME])).ended).toBe("converted");
    await small.stop();
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
    const { port } = server.address() as AddressInfo;
    const places = [`http://127.0.0.1:${port}/a.png`, `file://${secret}`, secret] as const;
    const ends = await Promise.all(
      pairs(references(places)).map(async ({ title, attack, to }) => ({ title, ...(await run(attack, to)) })),
    );
    expect(ends.filter(({ ended }) => ended !== "converted" && !refusals.includes(ended))).toEqual([]);
    expect(asked).toEqual([]);
    const leaked = ends.filter(({ output }) => output !== undefined && readFileSync(output).includes(SECRET));
    expect(leaked.map(({ title }) => title)).toEqual([]);
  });
});
