import { beforeAll, describe, expect, test } from "vitest";
import { lanes } from "../../functions/domain/conversions/lanes.ts";
import { fewOf } from "../hostile/families.ts";
import { type HostileReport, runHostile } from "../hostile/run.ts";
import { hangsOf, tableOf } from "../hostile/table.ts";

/**
 * Files that are meant to do harm, as a client sends them to a service of one machine: some of each family here, and all
 * of them by `node test/hostile --all`. Files that are broken or harmful come from `ANYFORM_CORPUS` too, where it is set.
 */

const OF_EACH_FAMILY = 7;
const RUN_MS_MAX = 600_000;

describe("files that are meant to do harm", () => {
  let report: HostileReport;
  beforeAll(async () => {
    const choose: Parameters<typeof runHostile>[0]["choose"] = (files) => fewOf(files, OF_EACH_FAMILY);
    report = await runHostile({ choose, targetsMax: 1, corpus: process.env.ANYFORM_CORPUS });
    console.log(tableOf(report));
  }, RUN_MS_MAX);

  test("never end the service", () => {
    expect(report.alive).toBe(true);
  });

  test("are converted, or refused for what they are", () => {
    expect(report.outcomes.length).toBeGreaterThan(100);
    expect(report.outcomes.filter(({ sound }) => !sound)).toEqual([]);
  });

  test("end within the time of their lane", () => {
    expect(hangsOf(report)).toEqual([]);
  });

  test("take no more memory than their lane has", () => {
    const over = [...report.peaks].filter(([lane, { bytes }]) => bytes > lanes[lane].conversionBytesMax);
    expect(over).toEqual([]);
  });

  test("reach no server, write nothing outside of the service's folder, and read nothing that nobody gave", () => {
    expect({ requests: report.requests, strays: report.strays, leaks: report.leaks }).toEqual({
      requests: [],
      strays: [],
      leaks: [],
    });
  });
});
