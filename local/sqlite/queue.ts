import { EventEmitter } from "node:events";
import { isLaneId, type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import type { JobMessage, JobQueue } from "../../functions/domain/ports.ts";
import { type ReadyCounts, readyCounts } from "../queue/waiting-messages.ts";
import type { Database } from "./database.ts";
import { integerOf, type Row, textOf } from "./rows.ts";

/** A message in flight. */
export interface Delivery {
  /** Identifies this delivery. Invalid after the message is delivered again. */
  readonly messageId: string;
  readonly message: JobMessage;
  /** 1 at the first delivery. */
  readonly receiveCount: number;
}

/** The queue, for its dispatcher. */
export interface LocalQueue extends JobQueue {
  /** Calls the listener whenever a message was sent, with its lane. */
  onSend(listener: (lane: LaneId) => void): void;
  /**
   * Receives the next visible message, and hides it from others until `visibleAgainAt`. Receives none while outcomes of
   * earlier messages cannot be written.
   * @param except accounts whose messages are skipped. @default none
   * @throws SQLite's error if the database cannot be written to; the message stays visible
   */
  receive(lane: LaneId, now: number, visibleAgainAt: number, except?: ReadonlySet<string>): Delivery | undefined;
  /** Sends a message unless the job already has one: for messages that may have been lost. */
  resend(lane: LaneId, message: JobMessage): Promise<void>;
  /** Finds the messages that another process has sent to the lane. */
  sentElsewhere(lane: LaneId): void;
  /** Counts all messages again: for a process that sends messages and does not receive them. */
  recount(): void;
  /** The number of ready messages. All other messages are in flight, and become visible again automatically. */
  readonly waiting: Pick<ReadyCounts, "accounts" | "all" | "has" | "of">;
  /**
   * Ends the delivery and deletes the message or dead letter, in the next transaction; during an outage, when it ends. A
   * message that is delivered again because the process ended before finds a job that has ended.
   * @returns whether the delivery was still current
   */
  acknowledge(messageId: string): Promise<boolean>;
  /**
   * Ends the delivery; the message becomes visible again at `time`. During an outage, when it ends.
   * @returns whether the delivery was still current
   */
  retryAt(messageId: string, time: number): Promise<boolean>;
  /** Receives a dead letter, and hides it for a minute. */
  receiveDead(lane: LaneId, now: number): Delivery | undefined;
  /** @returns when the next message becomes visible; 0 if one is visible now, undefined if there is none */
  nextVisibleAt(lane: LaneId): number | undefined;
  /** Makes messages ready whose visibility timeout has passed, or dead, and finds messages that other processes sent. */
  refresh(now: number): void;
  /** Makes all messages in flight visible. For startup, when their consumers are gone. @returns the number */
  reviveAll(): number;
}

/** Visibility timeout of a dead letter in milliseconds. */
const DEAD_LETTER_HIDDEN_MS = 60_000;

/**
 * The queue of each lane as a table, like SQS: at-least-once delivery, visibility timeouts, and a dead letter after
 * `receivesMax` deliveries.
 *
 * Fair between accounts by turns (start-time fair queueing): an account's next message comes one turn after its
 * previous one, but not before the lane's current turn. So a thousand messages of one account take a thousand turns,
 * and the first message of another account comes next. Finding the next message reads one index entry.
 */
export const sqliteQueue = (database: Database, { receivesMax }: { readonly receivesMax: number }): LocalQueue => {
  const events = new EventEmitter<{ send: [LaneId] }>();
  const ready = readyCounts(database);
  const insert = database.prepare(`
    INSERT INTO messages (lane, account_id, job_id, turn, state, visible_at, receive_count)
    SELECT :lane, :accountId, :jobId, max(
      coalesce((SELECT max(turn) + 1 FROM messages WHERE lane = :lane AND account_id = :accountId), 0),
      coalesce((SELECT turn FROM turns WHERE lane = :lane), 0)
    ), 'ready', 0, 0`);
  const find = database.prepare("SELECT 1 FROM messages WHERE job_id = ? LIMIT 1");
  const send: LocalQueue["send"] = async (lane, { jobId, accountId }) => {
    // Does not wait for the disk: the sweeper resends messages that a power failure lost.
    await database.soon(() => insert.run({ lane, jobId, accountId }));
    ready.add(lane, accountId, 1);
    events.emit("send", lane);
  };
  return {
    onSend: (listener) => {
      events.on("send", listener);
    },
    sentElsewhere: (lane) => {
      ready.recount(lane);
      events.emit("send", lane);
    },
    recount: () => laneIds.forEach(ready.recount),
    send,
    resend: async (lane, message) => {
      if (find.get(message.jobId) === undefined) {
        await send(lane, message);
      }
    },
    waiting: ready,
    ...receiving(database, receivesMax, ready),
    ...ending(database),
  };
};

/** Maximum number of accounts whose next messages are compared, at 2 µs each, if the first message must be skipped. */
const COMPARED_ACCOUNTS_MAX = 1_000;

/** @returns a function that finds the next message of a lane, without those of excluded accounts */
const finding = (database: Database, ready: ReadyCounts) => {
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
    const heads = ready
      .others(lane, except)
      .slice(0, COMPARED_ACCOUNTS_MAX)
      .map((accountId) => firstOf.get({ lane, accountId }))
      .flatMap((row) => (row === undefined ? [] : [{ id: integerOf(row, "id"), turn: integerOf(row, "turn") }]));
    return heads.sort((a, b) => a.turn - b.turn || a.id - b.id)[0]?.id;
  };
};

const NONE: ReadonlySet<string> = new Set();

const receiving = (
  database: Database,
  receivesMax: number,
  ready: ReadyCounts,
): Pick<LocalQueue, "receive" | "receiveDead" | "nextVisibleAt" | "refresh" | "reviveAll"> => {
  const next = finding(database, ready);
  const lapse = lapsing(database, receivesMax, ready);
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
    receive: (lane, now, visibleAgainAt, except = NONE) => {
      if (database.isStalled()) {
        return undefined;
      }
      lapse(lane, now);
      const delivery = database.atOnce(() => {
        const id = next(lane, except);
        const row = id === undefined ? undefined : take.get({ id, visibleAgainAt });
        if (row === undefined) {
          return undefined;
        }
        advance.run({ lane, turn: integerOf(row, "turn") });
        return deliveryOf(row);
      });
      if (delivery !== undefined) {
        ready.add(lane, delivery.message.accountId, -1);
      }
      return delivery;
    },
    receiveDead: (lane, now) => {
      lapse(lane, now);
      const row = database.atOnce(() => takeDead.get({ lane, now, visibleAgainAt: now + DEAD_LETTER_HIDDEN_MS }));
      return row && deliveryOf(row);
    },
    nextVisibleAt: (lane) => {
      if (visible.get(lane) !== undefined) {
        return 0;
      }
      const row = soonest.get(lane);
      return row && integerOf(row, "time");
    },
    refresh: (now) => {
      for (const lane of laneIds) {
        lapse(lane, now);
        ready.refresh(lane);
      }
    },
    reviveAll: () => Number(database.atOnce(() => revive.run()).changes),
  };
};

/** @returns a function that makes messages ready or dead after their visibility timeout */
const lapsing = (database: Database, receivesMax: number, ready: ReadyCounts) => {
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
    for (const row of database.atOnce(() => lapse.all({ lane, now, receivesMax }))) {
      if (textOf(row, "state") === "ready") {
        ready.add(lane, textOf(row, "account_id"), 1);
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
    acknowledge: async (messageId) => (await database.later(() => remove.run(partsOf(messageId)))).changes === 1,
    retryAt: async (messageId, time) =>
      (await database.eventually(() => retry.run({ ...partsOf(messageId), time }))).changes === 1,
  };
};

const deliveryOf = (row: Row): Delivery => {
  const receiveCount = integerOf(row, "receive_count");
  return {
    messageId: `${integerOf(row, "id")}-${receiveCount}`,
    message: { jobId: textOf(row, "job_id"), accountId: textOf(row, "account_id"), ...laneIn(row) },
    receiveCount,
  };
};

const laneIn = (row: Row): Pick<JobMessage, "lane"> => {
  const lane = textOf(row, "lane");
  return isLaneId(lane) ? { lane } : {};
};

const partsOf = (messageId: string): { id: number; count: number } => {
  const [id, count] = messageId.split("-").map(Number);
  return { id: id ?? 0, count: count ?? 0 };
};
