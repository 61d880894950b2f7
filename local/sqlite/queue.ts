import { EventEmitter } from "node:events";
import type { LaneId } from "../../functions/domain/conversions/lanes.ts";
import type { JobMessage, JobQueue } from "../../functions/domain/ports.ts";
import { type Lines, standingLines } from "../queue/waiting-messages.ts";
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
  /** Calls the listener whenever a message was sent, with its lane. */
  onSend(listener: (lane: LaneId) => void): void;
  /**
   * Takes the next visible message, and hides it from others until then.
   * @param except accounts whose messages are left for later. @default none
   */
  receive(lane: LaneId, now: number, visibleAgainAt: number, except?: ReadonlySet<string>): Delivery | undefined;
  /** Like `send`, unless the job already has a message: for messages that may be lost. */
  resend(lane: LaneId, message: JobMessage): Promise<void>;
  /** How many messages stand ready. What else may wait is in hand, or comes again by itself. */
  readonly waiting: Pick<Lines, "all" | "of" | "accounts">;
  /** Ends the delivery: the message, or the dead letter, is gone. @returns whether it was this delivery's to end */
  acknowledge(messageId: string): boolean;
  /** Ends the delivery: the message is visible again at that time. @returns whether it was this delivery's to end */
  retryAt(messageId: string, time: number): boolean;
  /** Takes a dead letter, and hides it for a minute. */
  receiveDead(lane: LaneId, now: number): Delivery | undefined;
  /** @returns when the next message is visible: 0 when one is, undefined when there is none */
  nextVisibleAt(lane: LaneId): number | undefined;
  /** Makes all messages in flight visible, at startup, when their consumers are gone. @returns the number */
  reviveAll(): number;
}

/** Milliseconds in which a dead letter should be acknowledged. */
const DEAD_LETTER_HIDDEN_MS = 60_000;

/**
 * The queue of each lane as a table, like SQS: at-least-once delivery, visibility timeouts, and a dead letter after
 * `receivesMax` deliveries.
 *
 * Fair between accounts by turns (start-time fair queueing): an account's next message comes one turn after the one
 * that it sent before, but not before the lane's current turn. So a thousand messages of one account take a thousand
 * turns, and the first of another account comes next; finding the next message reads one index entry.
 */
export const sqliteQueue = (database: Database, { receivesMax }: { readonly receivesMax: number }): LocalQueue => {
  const events = new EventEmitter<{ send: [LaneId] }>();
  const standing = standingLines(database);
  const insert = database.prepare(`
    INSERT INTO messages (lane, account_id, job_id, turn, state, visible_at, receive_count)
    SELECT :lane, :accountId, :jobId, max(
      coalesce((SELECT max(turn) + 1 FROM messages WHERE lane = :lane AND account_id = :accountId), 0),
      coalesce((SELECT turn FROM turns WHERE lane = :lane), 0)
    ), 'ready', 0, 0`);
  const find = database.prepare("SELECT 1 FROM messages WHERE job_id = ? LIMIT 1");
  const send: LocalQueue["send"] = async (lane, { jobId, accountId }) => {
    // Without waiting for the disk: the sweeper sends again what a power failure took.
    database.lightly(() => insert.run({ lane, jobId, accountId }));
    standing.add(lane, accountId, 1);
    events.emit("send", lane);
  };
  return {
    onSend: (listener) => {
      events.on("send", listener);
    },
    send,
    resend: async (lane, message) => {
      if (find.get(message.jobId) === undefined) {
        await send(lane, message);
      }
    },
    waiting: standing,
    ...receiving(database, receivesMax, standing),
    ...ending(database),
  };
};

/** Accounts whose next messages are compared, at 2 µs each, where the first message of all is to be left for later. */
const COMPARED_ACCOUNTS_MAX = 1_000;

/** @returns a function that finds the next message of a lane, its account not among some */
const finding = (database: Database, standing: Lines) => {
  const first = database.prepare(
    "SELECT id, account_id FROM messages WHERE lane = ? AND state = 'ready' ORDER BY turn, id LIMIT 1",
  );
  const firstOf = database.prepare(`
    SELECT id, turn FROM messages WHERE lane = :lane AND account_id = :accountId AND state = 'ready'
    ORDER BY turn, id LIMIT 1`);
  return (lane: LaneId, except: ReadonlySet<string>): number | undefined => {
    const head = first.get(lane);
    if (head === undefined || !except.has(textOf(head, "account_id"))) {
      return head && integerOf(head, "id");
    }
    const heads = standing
      .others(lane, except)
      .slice(0, COMPARED_ACCOUNTS_MAX)
      .map((accountId) => firstOf.get({ lane, accountId }))
      .flatMap((row) => (row === undefined ? [] : [{ id: integerOf(row, "id"), turn: integerOf(row, "turn") }]));
    return heads.sort((a, b) => a.turn - b.turn || a.id - b.id)[0]?.id;
  };
};

const NOBODY: ReadonlySet<string> = new Set();

const receiving = (
  database: Database,
  receivesMax: number,
  standing: Lines,
): Pick<LocalQueue, "receive" | "receiveDead" | "nextVisibleAt" | "reviveAll"> => {
  const next = finding(database, standing);
  const lapse = lapsing(database, receivesMax, standing);
  const take = database.prepare(`
    UPDATE messages SET state = 'hidden', visible_at = :visibleAgainAt, receive_count = receive_count + 1
    WHERE id = :id RETURNING *`);
  const advance = database.prepare(`
    INSERT INTO turns (lane, turn) VALUES (:lane, :turn)
    ON CONFLICT (lane) DO UPDATE SET turn = excluded.turn WHERE turn < excluded.turn`);
  const takeDead = database.prepare(`
    UPDATE messages SET visible_at = :visibleAgainAt
    WHERE id = (SELECT id FROM messages WHERE lane = :lane AND state = 'dead' AND visible_at <= :now
      ORDER BY visible_at, id LIMIT 1)
    RETURNING *`);
  const visible = database.prepare("SELECT 1 FROM messages WHERE lane = ? AND state = 'ready' LIMIT 1");
  const soonest = database.prepare(
    "SELECT min(visible_at) AS time FROM messages WHERE lane = ? AND state = 'hidden' HAVING time IS NOT NULL",
  );
  const revive = database.prepare("UPDATE messages SET visible_at = 0 WHERE state <> 'ready'");
  return {
    receive: (lane, now, visibleAgainAt, except = NOBODY) => {
      lapse(lane, now);
      const delivery = database.lightly(() => {
        const id = next(lane, except);
        const row = id === undefined ? undefined : take.get({ id, visibleAgainAt });
        if (row === undefined) {
          return undefined;
        }
        advance.run({ lane, turn: integerOf(row, "turn") });
        return deliveryOf(row);
      });
      if (delivery !== undefined) {
        standing.add(lane, delivery.message.accountId, -1);
      }
      return delivery;
    },
    receiveDead: (lane, now) => {
      lapse(lane, now);
      const row = database.lightly(() => takeDead.get({ lane, now, visibleAgainAt: now + DEAD_LETTER_HIDDEN_MS }));
      return row && deliveryOf(row);
    },
    nextVisibleAt: (lane) => {
      if (visible.get(lane) !== undefined) {
        return 0;
      }
      const row = soonest.get(lane);
      return row && integerOf(row, "time");
    },
    reviveAll: () => Number(database.lightly(() => revive.run()).changes),
  };
};

/** @returns a function that ends the hiding of messages whose time has passed: they are ready again, or dead */
const lapsing = (database: Database, receivesMax: number, standing: Lines) => {
  const anyLapsed = database.prepare(
    "SELECT 1 FROM messages WHERE lane = :lane AND state = 'hidden' AND visible_at <= :now LIMIT 1",
  );
  const lapse = database.prepare(`
    UPDATE messages SET state = iif(receive_count >= :receivesMax, 'dead', 'ready')
    WHERE lane = :lane AND state = 'hidden' AND visible_at <= :now RETURNING account_id, state`);
  return (lane: LaneId, now: number): void => {
    if (anyLapsed.get({ lane, now }) === undefined) {
      return;
    }
    for (const row of database.lightly(() => lapse.all({ lane, now, receivesMax }))) {
      if (textOf(row, "state") === "ready") {
        standing.add(lane, textOf(row, "account_id"), 1);
      }
    }
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
