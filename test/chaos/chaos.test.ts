import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { IS_COMPLETE } from "../support/run/complete.ts";
import { chaos } from "./chaos.ts";
import { reportOf } from "./judge/report.ts";
import { recipes } from "./recipes.ts";

/**
 * A short run with a fixed seed on one machine, until every fault has occurred; longer ones on both targets in the
 * complete set. `node test/chaos` is the long run, with documents and large files.
 */

const RUN_MS_MAX = 300_000;
const SEED = 7;
/** Unfinished jobs end after the faults: a lost message is redelivered after two minutes of the clock. */
const WAIT_MS_MAX = 10_000;

/** One recipe per kind of conversion, with fast programs only: an office program restarts slowly after each kill. */
const LIGHT = [
  "sample.png → jpg",
  "photo.jpg → webp",
  "sample.csv → json",
  "sample.zip → tar",
  "sample.wav → mp3",
  "pages.tiff → jpg",
  "3 files → zip",
  "cut.png → jpg",
];
const light = recipes.filter(({ name }) => LIGHT.includes(name));

describe.each([
  { target: "local", jobs: IS_COMPLETE ? 40 : 20, jobsMax: 400, clients: 8 },
  ...(IS_COMPLETE ? [{ target: "aws", jobs: 24, jobsMax: 400, clients: 16 } as const] : []),
] as const)("mixed jobs under every fault on target $target", (size) => {
  it("are not lost, duplicated or wrong, and the quota is exact", { timeout: RUN_MS_MAX }, async () => {
    const report = await chaos({ ...size, seed: SEED, recipes: light, waitMsMax: WAIT_MS_MAX });
    expect(report.ledger.jobs.length).toBeGreaterThan(size.jobs / 2);
    const broken = report.verdicts.flatMap((verdict) => verdict.broken);
    expect(broken, reportOf(report)).toEqual([]);
    const unstruck = [...report.struck].filter(([, times]) => times === 0).map(([name]) => name);
    expect(unstruck, reportOf(report)).toEqual([]);
    // A converter that has lost its service writes its compile cache, and ends a moment after the service.
    await rm(report.folder, { recursive: true, force: true, maxRetries: 20 });
  });
});
