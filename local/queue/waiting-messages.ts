import { type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import type { Database } from "../sqlite/database.ts";
import { integerOf, textOf } from "../sqlite/rows.ts";

/** How many messages of each account stand ready in each lane: a number for each account, however long its line is. */
export interface Lines {
  add(lane: LaneId, accountId: string, messages: number): void;
  /** @returns messages of all lanes */
  all(): number;
  /** @returns messages of the account in all lanes */
  of(accountId: string): number;
  /** @returns accounts that have a message in any lane, with how many */
  accounts(): ReadonlyMap<string, number>;
  /** @returns accounts with a message in the lane, except these, longest waiting first */
  others(lane: LaneId, except: ReadonlySet<string>): readonly string[];
}

/** @returns the queues as an earlier run left them; must be notified of each later change */
export const standingLines = (database: Database): Lines => {
  const standing = lines();
  const count = database.prepare(
    "SELECT account_id, count(*) AS messages FROM messages WHERE lane = ? AND state = 'ready' GROUP BY account_id",
  );
  for (const lane of laneIds) {
    for (const row of count.iterate(lane)) {
      standing.add(lane, textOf(row, "account_id"), integerOf(row, "messages"));
    }
  }
  return standing;
};

const lines = (): Lines => {
  const byLane = new Map<LaneId, Map<string, number>>();
  const together = new Map<string, number>();
  let total = 0;
  const laneOf = (lane: LaneId): Map<string, number> => {
    const known = byLane.get(lane) ?? new Map<string, number>();
    byLane.set(lane, known);
    return known;
  };
  return {
    add: (lane, accountId, messages) => {
      total += change(together, accountId, messages);
      change(laneOf(lane), accountId, messages);
    },
    all: () => total,
    of: (accountId) => together.get(accountId) ?? 0,
    accounts: () => together,
    others: (lane, except) => [...laneOf(lane).keys()].filter((accountId) => !except.has(accountId)),
  };
};

/** @returns by how much the count has changed: it does not fall below nothing */
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
