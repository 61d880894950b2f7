import { type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import type { Database } from "../sqlite/database.ts";
import { integerOf, textOf } from "../sqlite/rows.ts";

/** The number of ready messages of each account in each lane. One number per account, regardless of its messages. */
export interface ReadyCounts {
  add(lane: LaneId, accountId: string, messages: number): void;
  /** Counts the messages of a lane that has none here, but may have messages of another process. */
  refresh(lane: LaneId): void;
  /** Counts the messages of a lane again, because another process has sent or received some. */
  recount(lane: LaneId): void;
  /** @returns the number of messages in all lanes */
  all(): number;
  /** @returns whether the lane has a message */
  has(lane: LaneId): boolean;
  /** @returns the number of the account's messages in all lanes */
  of(accountId: string): number;
  /** @returns accounts with a message in any lane, and the number of their messages */
  accounts(): ReadonlyMap<string, number>;
  /** @returns accounts with a message in the lane, without the excluded ones, longest waiting first */
  others(lane: LaneId, except: ReadonlySet<string>): readonly string[];
}

/** @returns the counts of messages from earlier runs. The caller must add each later change of this process. */
export const readyCounts = (database: Database): ReadyCounts => {
  const ready = emptyCounts();
  const count = database.prepare(
    "SELECT account_id, count(*) AS messages FROM messages WHERE lane = ? AND state = 'ready' GROUP BY account_id",
  );
  const recount = (lane: LaneId): void => {
    ready.clear(lane);
    for (const row of count.all(lane)) {
      ready.add(lane, textOf(row, "account_id"), integerOf(row, "messages"));
    }
  };
  const refresh = (lane: LaneId): void => {
    if (!ready.has(lane)) {
      recount(lane);
    }
  };
  for (const lane of laneIds) {
    refresh(lane);
  }
  return { ...ready, refresh, recount };
};

const emptyCounts = (): Omit<ReadyCounts, "recount" | "refresh"> & { clear(lane: LaneId): void } => {
  const byLane = new Map<LaneId, Map<string, number>>();
  const allLanes = new Map<string, number>();
  let total = 0;
  const laneOf = (lane: LaneId): Map<string, number> => {
    const known = byLane.get(lane) ?? new Map<string, number>();
    byLane.set(lane, known);
    return known;
  };
  const add = (lane: LaneId, accountId: string, messages: number): void => {
    total += change(allLanes, accountId, messages);
    change(laneOf(lane), accountId, messages);
  };
  return {
    add,
    clear: (lane) => {
      for (const [accountId, messages] of [...laneOf(lane)]) {
        add(lane, accountId, -messages);
      }
    },
    all: () => total,
    has: (lane) => laneOf(lane).size > 0,
    of: (accountId) => allLanes.get(accountId) ?? 0,
    accounts: () => allLanes,
    others: (lane, except) => [...laneOf(lane).keys()].filter((accountId) => !except.has(accountId)),
  };
};

/** @returns the change of the count, which never becomes negative */
const change = (counts: Map<string, number>, accountId: string, messages: number): number => {
  const before = counts.get(accountId) ?? 0;
  const after = Math.max(0, before + messages);
  if (after > 0) {
    counts.set(accountId, after);
  } else {
    counts.delete(accountId);
  }
  return after - before;
};
