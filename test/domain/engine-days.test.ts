import { describe, expect, test } from "vitest";
import { bufferedEngineDays } from "../../functions/adapters/engine-days.ts";
import {
  bucketOf,
  countsOf,
  type EngineCount,
  type EngineDayStore,
  firstStatusDay,
  STATUS_SECONDS,
} from "../../functions/domain/status/engine-days.ts";
import { statusView } from "../../functions/domain/status/status-view.ts";
import { completedOutcome, jobRecord, NOW } from "../support/world/records.ts";

const failed = (code: "engine_crashed" | "source_corrupt") =>
  ({ status: "failed", error: { code, detail: "" }, givesBack: false }) as const;

const SHARP_STEP = { engine: "sharp", from: "png", to: "jpg", durationMs: 80 } as const;

describe("the counts of a job's end", () => {
  test("are the durations of its steps, by bucket", () => {
    const outcome = { ...completedOutcome("job_1", 1), timings: [SHARP_STEP] };
    expect(countsOf(jobRecord(), outcome)).toEqual([{ engine: "sharp", count: 1, value: 1 }]);
    expect([0, 50, 51, 60_000, 60_001].map(bucketOf)).toEqual([0, 0, 1, 9, STATUS_SECONDS.length]);
  });

  test("are failures only if the service is at fault", () => {
    const job = jobRecord();
    const engines = [...new Set(job.steps.map(({ engine }) => engine))];
    expect(countsOf(job, failed("engine_crashed"))).toEqual(
      engines.map((engine) => ({ engine, count: "failed", value: 1 })),
    );
    expect(countsOf(job, failed("source_corrupt"))).toEqual([]);
    expect(countsOf({ ...job, forcedError: "engine_crashed" }, failed("engine_crashed"))).toEqual([]);
    expect(countsOf(job, { status: "cancelled" })).toEqual([]);
  });
});

describe("the status", () => {
  test("has the share of success and the latency of each engine and day, without totals", () => {
    const day = (value: number): readonly EngineCount[] => [
      { engine: "sharp", count: 1, value: 98 },
      { engine: "sharp", count: 3, value: 2 },
      { engine: "sharp", count: "failed", value },
    ];
    const { engines } = statusView(
      new Map([
        ["2026-11-22", day(0)],
        ["2026-11-23", day(25)],
      ]),
      { from: "2026-08-26", to: "2026-11-23" },
    );
    expect(engines).toEqual([
      {
        engine: "sharp",
        success: 0.8888,
        median_ms: 76,
        p95_ms: 98,
        days: [
          { date: "2026-11-22", success: 1, median_ms: 76 },
          { date: "2026-11-23", success: 0.8, median_ms: 76 },
        ],
      },
    ]);
  });

  test("has no latency of an engine that only failed, and covers 90 days", () => {
    const counts = [{ engine: "sharp", count: "failed", value: 1 }] as const;
    const { engines } = statusView(new Map([["2026-11-23", counts]]), { from: "", to: "" });
    expect(engines).toMatchObject([{ success: 0, median_ms: null, p95_ms: null }]);
    expect(firstStatusDay(Date.parse("2026-11-23T12:00:00Z"))).toBe("2026-08-26");
  });
});

describe("the counts in memory", () => {
  const ended = { ...completedOutcome("job_1", 1), timings: [SHARP_STEP] };
  const recorded = (add: EngineDayStore["add"], noteFailures: EngineDayStore["noteFailures"] = async () => {}) => {
    let now = NOW;
    const errors: unknown[] = [];
    const days = bufferedEngineDays({
      store: { add, since: async () => new Map(), noteFailures, failures: async () => [] },
      clock: () => now,
      onError: (error) => errors.push(error),
    });
    return { days, errors, later: () => (now += 10_000) };
  };

  test("are added up and stored at most every ten seconds", async () => {
    const stored: number[] = [];
    const { days, later } = recorded(async (_, counts) => void stored.push(...counts.map(({ value }) => value)));
    for (let index = 0; index < 3; index++) {
      days.ended(jobRecord(), ended);
      await days.storeWhenDue();
    }
    later();
    await days.storeWhenDue();
    expect(stored).toEqual([1, 2]);
    days.ended(jobRecord(), ended);
    await days.since("2026-11-23");
    expect(stored).toEqual([1, 2, 1]);
  });

  test("are kept when the store fails, without an error for the conversion", async () => {
    const stored: number[] = [];
    let isDown = true;
    const { days, errors, later } = recorded(async (_, counts) => {
      if (isDown) {
        throw new Error("The store is down.");
      }
      stored.push(...counts.map(({ value }) => value));
    });
    days.ended(jobRecord(), ended);
    days.ended(jobRecord(), ended);
    await days.storeWhenDue();
    isDown = false;
    later();
    await days.storeWhenDue();
    expect([stored, errors.length]).toEqual([[2], 1]);
  });

  test("come with the last failure of each engine, which is kept when the store fails", async () => {
    const noted: string[] = [];
    let isDown = true;
    const { days, errors } = recorded(
      async () => {},
      async (failures) => {
        if (isDown) {
          throw new Error("The store is down.");
        }
        noted.push(...failures.map(({ engine, jobId, code, at }) => `${engine} ${jobId} ${code} ${at}`));
      },
    );
    const last = jobRecord();
    days.ended(jobRecord({ id: "job_earlier" }), failed("engine_crashed"));
    days.ended(last, failed("engine_crashed"));
    days.ended(jobRecord({ id: "job_later" }), failed("source_corrupt"));
    await days.failures();
    isDown = false;
    await days.failures();
    await days.failures();
    expect(noted).toEqual([`sharp ${last.id} engine_crashed ${NOW}`]);
    expect(errors).toHaveLength(1);
  });
});
