/** What the tables of error codes have in common; `docs/errors.md` is generated from them. */

export interface ErrorRow {
  readonly title: string;
  /** When the error occurs, in one sentence. */
  readonly when: string;
  /** What the client should do, in one imperative sentence. */
  readonly action: string;
}

/** An error whose cause can end without a change by the client. */
export interface RetryableRow extends ErrorRow {
  /** Whether the same request can succeed later without changes. */
  readonly retryable: boolean;
}
