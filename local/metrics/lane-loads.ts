import { laneIds } from "../../functions/domain/conversions/lanes.ts";
import type { LaneLoad } from "../../functions/domain/operators/operating.ts";
import type { Database } from "../sqlite/database.ts";
import { integerOf, textOf } from "../sqlite/rows.ts";

/** The load of a lane, with the messages that could not be processed. */
interface LocalLaneLoad extends Required<LaneLoad> {
  readonly dead: number;
}

/** @returns a function that counts the messages of each lane in the database */
export const laneLoads = (database: Database, clock: () => number): (() => readonly LocalLaneLoad[]) => {
  const count = database.prepare("SELECT state, count(*) AS messages FROM messages WHERE lane = ? GROUP BY state");
  // Messages are numbered in the order they are sent; the creation time of the first one's job is the oldest.
  const oldest = database.prepare(`
    SELECT body ->> 'createdAt' AS created_at FROM jobs
    WHERE id = (SELECT job_id FROM messages WHERE lane = ? AND state = 'ready' ORDER BY id LIMIT 1)`);
  return () =>
    laneIds.map((lane) => {
      const states = new Map(count.all(lane).map((row) => [textOf(row, "state"), integerOf(row, "messages")]));
      const first = oldest.get(lane);
      return {
        lane,
        waiting: states.get("ready") ?? 0,
        active: states.get("hidden") ?? 0,
        dead: states.get("dead") ?? 0,
        oldestMs: first === undefined ? 0 : Math.max(0, clock() - integerOf(first, "created_at")),
      };
    });
};
