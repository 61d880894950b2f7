import { beforeAll, describe, expect, test } from "vitest";
import { lanes } from "../../functions/domain/conversions/lanes.ts";
import { fewOf } from "../hostile/families.ts";
import { type HostileReport, runHostile } from "../hostile/run.ts";
import { hangsOf, tableOf } from "../hostile/table.ts";

/**
 * Malicious files, sent by a client to a service on one machine: some of each family here, and all of them with
 * `node test/hostile --all`. If `ANYFORM_CORPUS` is set, its corrupt and malicious files are included.
 */

const OF_EACH_FAMILY = 6;
const RUN_MS_MAX = 600_000;

describe("malicious files", () => {
  let report: HostileReport;
  beforeAll(async () => {
    const choose: Parameters<typeof runHostile>[0]["choose"] = (files) => fewOf(files, OF_EACH_FAMILY);
    report = await runHostile({ choose, targetsMax: 1, corpus: process.env.ANYFORM_CORPUS });
    console.log(tableOf(report));
  }, RUN_MS_MAX);

  test("never crash the service", () => {
    expect(report.alive).toBe(true);
  });

  test("are converted or rejected with the right error", () => {
    expect(report.outcomes.length).toBeGreaterThan(100);
    expect(report.outcomes.filter(({ sound }) => !sound)).toEqual([]);
  });

  test("end within the time limit of their lane", () => {
    expect(hangsOf(report)).toEqual([]);
  });

  test("stay within the memory of their lane", () => {
    const over = [...report.peaks].filter(([lane, { bytes }]) => bytes > lanes[lane].conversionBytesMax);
    expect(over).toEqual([]);
  });

  test("reach no server, write nothing outside the service's folder, and read no other files", () => {
    expect({ requests: report.requests, strays: report.strays, leaks: report.leaks }).toEqual({
      requests: [],
      strays: [],
      leaks: [],
    });
  });
});
