import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EngineCount, EngineDayStore, EngineFailure } from "../../../functions/domain/status/engine-days.ts";

interface Made {
  readonly engineDays: EngineDayStore;
  close(): Promise<void>;
}

const byName = (counts: readonly EngineCount[] | undefined): readonly string[] =>
  (counts ?? []).map(({ engine, count, value }) => `${engine} ${count} ${value}`).toSorted();

/** What every store of the engines' daily counts guarantees. */
export const engineDaysContract = (name: string, make: () => Promise<Made>): void => {
  describe(`daily counts of the engines: ${name}`, () => {
    let made: Made;
    beforeEach(async () => {
      made = await make();
    });
    afterEach(() => made?.close());

    test("adds counts to those of the day, also concurrent ones", async () => {
      const { engineDays } = made;
      await Promise.all(
        [1, 2, 3].map((value) =>
          engineDays.add("2026-11-23", [
            { engine: "sharp", count: 2, value },
            { engine: "geo-points", count: "failed", value: 1 },
          ]),
        ),
      );
      const days = await engineDays.since("2026-08-26");
      expect([...days.keys()]).toEqual(["2026-11-23"]);
      expect(byName(days.get("2026-11-23"))).toEqual(["geo-points failed 3", "sharp 2 6"]);
    });

    test("returns the days from the first on, and nothing before it", async () => {
      const { engineDays } = made;
      for (const day of ["2026-11-20", "2026-11-21", "2026-11-22"]) {
        await engineDays.add(day, [{ engine: "ffmpeg", count: 0, value: 1 }]);
      }
      expect([...(await engineDays.since("2026-11-21")).keys()].toSorted()).toEqual(["2026-11-21", "2026-11-22"]);
    });

    test("adds any number of counts at once", async () => {
      const counts = Array.from({ length: 11 }, (_, count) => count).flatMap((count) =>
        (["sharp", "ffmpeg", "pandoc", "gdal", "mesh", "three", "occt", "svgz", "hdr", "icons"] as const).map(
          (engine) => ({ engine, count, value: 1 }),
        ),
      );
      await made.engineDays.add("2026-11-23", counts);
      expect((await made.engineDays.since("2026-11-23")).get("2026-11-23")).toHaveLength(counts.length);
    });

    test("keeps the last failure of each engine, apart from the days", async () => {
      const { engineDays } = made;
      const failure = (engine: EngineFailure["engine"], at: number): EngineFailure => ({
        engine,
        jobId: `job_${at}`,
        accountId: "acc_1",
        source: "docx",
        target: "pdf",
        code: "engine_failed",
        detail: "The conversion failed.",
        at,
      });
      const at = Date.parse("2026-11-23T10:00:00Z");
      await engineDays.noteFailures([failure("soffice", at), failure("sharp", at)]);
      await engineDays.noteFailures([failure("soffice", at + 1)]);
      const failures = (await engineDays.failures()).toSorted((one, other) => one.engine.localeCompare(other.engine));
      expect(failures).toEqual([failure("sharp", at), failure("soffice", at + 1)]);
      expect([...(await engineDays.since("2026-08-26")).keys()]).toEqual([]);
    });
  });
};
