import type { QuotaClaim } from "../accounts/quotas.ts";
import type { Stored } from "../file-ports.ts";
import type { IdempotencyClaim, Refused, Replay } from "../ports.ts";
import type { Job } from "./job.ts";

/** A request with a small file that may be converted while it waits, without the queue. */
export interface DirectRequest {
  /** The job, queued and not recorded. */
  readonly job: Job;
  /**
   * The bytes of the file, in pieces as they arrived. Their memory may be freed when the job has ended. @default those of the
   * job's upload
   */
  readonly input?: readonly Uint8Array[];
  readonly quota: QuotaClaim | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
  /** When the response may be sent, which contains the result if it is stored `later`. */
  readonly stored: Stored;
}

/** `content` is the result, if it was made in memory. */
export type DirectOutcome =
  | { readonly outcome: "ended"; readonly job: Job; readonly content?: Uint8Array }
  | Refused
  | Replay;

/** Conversions of small files without the queue: their jobs are recorded once, when they have ended. */
export interface DirectConversions {
  /** @returns a function that releases the memory for a file of the account; undefined if there is none */
  reserve(accountId: string): (() => void) | undefined;
  /**
   * Converts the file if a converter becomes free in time. Records the job, its end and the request's count in one
   * transaction, and resolves when no crash can lose the count. If the process ends earlier, nothing is recorded or counted.
   *
   * @returns undefined if the job must be queued; nothing was recorded then
   */
  convert(request: DirectRequest): Promise<DirectOutcome | undefined>;
}
