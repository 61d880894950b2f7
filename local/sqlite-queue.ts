import type { LaneId } from "../functions/domain/lanes.ts";
import type { JobMessage, JobQueue } from "../functions/domain/ports.ts";
import type { Database } from "./database.ts";
import { integerOf, type Row, textOf } from "./rows.ts";

/** A message that is being worked on. */
export interface Delivery {
  /** Names this delivery: once the message was delivered again, it is good for nothing. */
  readonly messageId: string;
  readonly message: JobMessage;
  /** 1 at the first delivery. */
  readonly receiveCount: number;
}

/** The queue as its runner sees it. */
export interface LocalQueue extends JobQueue {
  /** Takes the next visible message, and hides it from others until then. */
  receive(lane: LaneId, now: number, visibleAgainAt: number): Delivery | undefined;
  /** Ends the delivery: the message, or the dead letter, is gone. @returns whether it was this delivery's to end */
  acknowledge(messageId: string): boolean;
  /** Ends the delivery: the message is visible again at that time. @returns whether it was this delivery's to end */
  retryAt(messageId: string, time: number): boolean;
  /** Takes a dead letter, and hides it for a minute. */
  receiveDead(lane: LaneId, now: number): Delivery | undefined;
  /** @returns when the next message is visible: 0 when one is, undefined when there is none */
  nextVisibleAt(lane: LaneId): number | undefined;
  /** Makes all messages in flight visible: for the start, when whoever held them is gone. @returns how many */
  reviveAll(): number;
}

/** Milliseconds in which whoever takes a dead letter should have acknowledged it. */
const DEAD_LETTER_HIDDEN_MS = 60_000;

/**
 * The queue of each lane as a table, in the manner of SQS: at least once, a visibility, a dead letter after
 * `receivesMax` deliveries.
 *
 * Fair between accounts by turns (start-time fair queueing): an account's next message comes one turn after the one
 * that it sent before, but not before the lane's present turn. So a thousand messages of one account stand in a
 * thousand turns, and the first of another account comes next; the next message is one look into an index.
 *
 * @param onSend is called when a message may have become visible
 */
export const sqliteQueue = (
  database: Database,
  { receivesMax, onSend }: { readonly receivesMax: number; readonly onSend?: (lane: LaneId) => void },
): LocalQueue => {
  const send = database.prepare(`
    INSERT INTO messages (lane, account_id, job_id, turn, state, visible_at, receive_count)
    SELECT :lane, :accountId, :jobId, max(
      coalesce((SELECT max(turn) + 1 FROM messages WHERE lane = :lane AND account_id = :accountId), 0),
      coalesce((SELECT turn FROM turns WHERE lane = :lane), 0)
    ), 'ready', 0, 0`);
  return {
    send: async (lane, { jobId, accountId }) => {
      // Without waiting for the disk: the sweeper sends again what a power failure took.
      database.lightly(() => send.run({ lane, jobId, accountId }));
      onSend?.(lane);
    },
    ...receiving(database, receivesMax),
    ...ending(database),
  };
};

const receiving = (
  database: Database,
  receivesMax: number,
): Pick<LocalQueue, "receive" | "receiveDead" | "nextVisibleAt" | "reviveAll"> => {
  const lapse = database.prepare(`
    UPDATE messages SET state = iif(receive_count >= :receivesMax, 'dead', 'ready')
    WHERE lane = :lane AND state = 'hidden' AND visible_at <= :now`);
  const take = database.prepare(`
    UPDATE messages SET state = 'hidden', visible_at = :visibleAgainAt, receive_count = receive_count + 1
    WHERE id = (SELECT id FROM messages WHERE lane = :lane AND state = 'ready' ORDER BY turn, id LIMIT 1)
    RETURNING *`);
  const advance = database.prepare(`
    INSERT INTO turns (lane, turn) VALUES (:lane, :turn)
    ON CONFLICT (lane) DO UPDATE SET turn = excluded.turn WHERE turn < excluded.turn`);
  const takeDead = database.prepare(`
    UPDATE messages SET visible_at = :visibleAgainAt
    WHERE id = (SELECT id FROM messages WHERE lane = :lane AND state = 'dead' AND visible_at <= :now
      ORDER BY visible_at, id LIMIT 1)
    RETURNING *`);
  const visible = database.prepare("SELECT 1 FROM messages WHERE lane = ? AND state = 'ready' LIMIT 1");
  const next = database.prepare(
    "SELECT min(visible_at) AS time FROM messages WHERE lane = ? AND state = 'hidden' HAVING time IS NOT NULL",
  );
  const revive = database.prepare("UPDATE messages SET visible_at = 0 WHERE state <> 'ready'");
  return {
    receive: (lane, now, visibleAgainAt) =>
      database.lightly(() => {
        lapse.run({ lane, now, receivesMax });
        const row = take.get({ lane, visibleAgainAt });
        if (row === undefined) {
          return undefined;
        }
        advance.run({ lane, turn: integerOf(row, "turn") });
        return deliveryOf(row);
      }),
    receiveDead: (lane, now) =>
      database.lightly(() => {
        lapse.run({ lane, now, receivesMax });
        const row = takeDead.get({ lane, now, visibleAgainAt: now + DEAD_LETTER_HIDDEN_MS });
        return row && deliveryOf(row);
      }),
    nextVisibleAt: (lane) => {
      if (visible.get(lane) !== undefined) {
        return 0;
      }
      const row = next.get(lane);
      return row && integerOf(row, "time");
    },
    reviveAll: () => Number(database.lightly(() => revive.run()).changes),
  };
};

const ending = (database: Database): Pick<LocalQueue, "acknowledge" | "retryAt"> => {
  const remove = database.prepare(
    "DELETE FROM messages WHERE id = :id AND receive_count = :count AND state <> 'ready'",
  );
  const retry = database.prepare(
    "UPDATE messages SET visible_at = :time WHERE id = :id AND receive_count = :count AND state <> 'ready'",
  );
  return {
    acknowledge: (messageId) => database.lightly(() => remove.run(partsOf(messageId))).changes === 1,
    retryAt: (messageId, time) => database.lightly(() => retry.run({ ...partsOf(messageId), time })).changes === 1,
  };
};

const deliveryOf = (row: Row): Delivery => {
  const receiveCount = integerOf(row, "receive_count");
  return {
    messageId: `${integerOf(row, "id")}-${receiveCount}`,
    message: { jobId: textOf(row, "job_id"), accountId: textOf(row, "account_id") },
    receiveCount,
  };
};

const partsOf = (messageId: string): { id: number; count: number } => {
  const [id, count] = messageId.split("-").map(Number);
  return { id: id ?? 0, count: count ?? 0 };
};
