/** The ports of background tasks, and of what accounts do at the same time. */

/** A record of an account that a background task is about. */
export interface TaskSubject {
  readonly id: string;
  readonly accountId: string;
}

/** A delivered message of a queue. */
export interface Delivery {
  /** The ARN of the queue. */
  readonly queue: string;
  /** Identifies this delivery. */
  readonly receipt: string;
}

/** Background tasks other than conversions. At-least-once delivery, unordered, fair between accounts. */
export interface TaskQueue {
  /** Queues the import of a pending upload from its URL. */
  importUpload(upload: TaskSubject, inMs?: number): Promise<void>;
  /** Queues the check of a pending upload that the client has sent. It never waits for imports. */
  checkUpload(upload: TaskSubject, inMs?: number): Promise<void>;
  /** Queues the deletion of the files of a job whose result has expired, with a delay of up to 15 minutes. */
  erase(jobId: string, inMs: number): Promise<void>;
  /** Queues the delivery of a webhook message, with a delay of up to 15 minutes. */
  deliver(message: TaskSubject, inMs: number): Promise<void>;
  /** Queues the export of a result, with a delay of up to 15 minutes. */
  export(message: TaskSubject, inMs: number): Promise<void>;
  /** Delivers a message again after this time, instead of after the longest time that its task can take. */
  redeliver(delivery: Delivery, inMs: number): Promise<void>;
}

/** What accounts have a limited number of at the same time. */
export type SlotKind = "wait" | TaskKind;

/** Background tasks that an account has a limited number of at the same time. */
export type TaskKind = "import" | "check" | "webhook" | "export";

/** Limits what an account does at the same time, across all processes of the deployment. */
export interface AccountSlots {
  /**
   * @returns a function that releases the slot; undefined if the account has no free slot. A slot that is never released
   * becomes free when its work can no longer be in progress
   */
  take(accountId: string, kind: SlotKind, now: number): Promise<(() => Promise<void>) | undefined>;
}
