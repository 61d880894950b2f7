/** The ports for the limits of one gateway process. */

/** Responses that are sent while they are created. */
export interface Streams {
  /**
   * @returns a function that must be called when the stream has ended
   * @throws RequestError `rate_limited`, `temporarily_unavailable` when too many streams are open
   */
  open(accountId: string): () => void;
  /** Aborts when the service shuts down: streams end then, and requests wait for nothing any more. */
  readonly closing: AbortSignal;
}

/**
 * Admission control. Capacity is reserved before anything is stored or counted.
 * @throws RequestError `temporarily_unavailable` with `Retry-After` when there is no capacity
 */
export interface Admission {
  /** @returns a function that releases the reservation: call it when the job's message is queued, or will not be */
  job(accountId: string): () => void;
  /**
   * @param party the account or upload that owns the file: one party cannot reserve all space
   * @returns a function that releases the reservation: call it when the file is stored, or will not be
   */
  file(party: string, bytes: number): () => void;
}
