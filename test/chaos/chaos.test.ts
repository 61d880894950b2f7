import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { chaos } from "./chaos.ts";
import { recipes } from "./recipes.ts";
import { reportOf } from "./report.ts";

/** A short run of each target with a fixed seed; `npm run chaos` is the long one, with documents and large files. */

const RUN_MS_MAX = 300_000;
const SEED = 7;

/** What an engine of JavaScript or WebAssembly does: programs take seconds to start again each time they are killed. */
const light = recipes.filter(({ target }) => !["pdf", "docx"].includes(target));

describe.each([
  { target: "local", jobs: 40, clients: 8 },
  { target: "aws", jobs: 24, clients: 16 },
] as const)("mixed jobs under chaos on the target $target", (size) => {
  it("are neither lost nor doubled nor wrong, and the quota is exact", { timeout: RUN_MS_MAX }, async () => {
    const report = await chaos({ ...size, seed: SEED, recipes: light });
    expect(report.ledger.jobs.length).toBeGreaterThan(size.jobs / 2);
    expect([...report.struck.values()].filter(Boolean).length).toBeGreaterThan(3);
    const broken = report.verdicts.flatMap((verdict) => verdict.broken);
    expect(broken, reportOf(report)).toEqual([]);
    await rm(report.folder, { recursive: true });
  });
});
