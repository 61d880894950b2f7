import {
  type EngineCount,
  type EngineDayStore,
  type EngineFailure,
  firstStatusDay,
  isEngine,
} from "../../functions/domain/status/engine-days.ts";
import type { Database } from "./database.ts";
import { integerOf, textOf } from "./rows.ts";

/** The bucket number of failures in the table. */
const FAILED = -1;

/** Counts of the engines per day: at most 90 days. A power failure can lose the latest counts. */
export const sqliteEngineDays = (database: Database): EngineDayStore => {
  const add = database.prepare(`
    INSERT INTO engine_days (day, engine, bucket, count) VALUES (:day, :engine, :bucket, :value)
    ON CONFLICT (day, engine, bucket) DO UPDATE SET count = count + :value`);
  const remove = database.prepare("DELETE FROM engine_days WHERE day < ?");
  const note = database.prepare(`
    INSERT INTO engine_failures (engine, body, failed_at) VALUES (:engine, :body, :at)
    ON CONFLICT (engine) DO UPDATE SET body = :body, failed_at = :at`);
  const forget = database.prepare("DELETE FROM engine_failures WHERE failed_at < ?");
  const failures = database.prepare("SELECT body FROM engine_failures ORDER BY engine");
  const list = database.prepare("SELECT day, engine, bucket, count FROM engine_days WHERE day >= ? ORDER BY day");
  return {
    add: async (day, counts) => {
      await database.soon(() => {
        for (const { engine, count, value } of counts) {
          add.run({ day, engine, bucket: count === "failed" ? FAILED : count, value });
        }
        const first = firstStatusDay(Date.parse(day));
        remove.run(first);
        forget.run(Date.parse(first));
      });
    },
    since: async (day) => {
      const days = new Map<string, EngineCount[]>();
      for (const row of list.all(day)) {
        const [date, engine, bucket] = [textOf(row, "day"), textOf(row, "engine"), integerOf(row, "bucket")];
        const counts = days.get(date) ?? [];
        days.set(date, counts);
        // An engine of another release has no name here.
        if (isEngine(engine)) {
          counts.push({ engine, count: bucket === FAILED ? "failed" : bucket, value: integerOf(row, "count") });
        }
      }
      return days;
    },
    noteFailures: async (failed) => {
      await database.soon(() => {
        for (const failure of failed) {
          note.run({ engine: failure.engine, body: JSON.stringify(failure), at: failure.at });
        }
      });
    },
    // Only `noteFailures` writes them.
    failures: async () => failures.all().map((row): EngineFailure => JSON.parse(textOf(row, "body"))),
  };
};
