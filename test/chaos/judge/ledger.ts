import type { PlannedJob } from "../plan.ts";

/**
 * What the clients know for certain: each fact is a response that they received. The invariants are checked against it.
 */
export interface Ledger {
  /** Uploads that were answered with 201. */
  readonly uploads: { readonly id: string; readonly account: number; readonly test: boolean }[];
  readonly jobs: JobFacts[];
  /** By account. */
  readonly downloads: { answered: number; unknown: number }[];
  /** Rejected requests by code. */
  readonly refusals: Map<string, number>;
  /** All requests, including those that received no response or a server error. */
  requests: number;
  unanswered: number;
  /** What no client should ever see. */
  readonly wrongs: string[];
}

/** An accepted conversion. */
export interface JobFacts {
  readonly plan: PlannedJob;
  /** Every ID that was returned for the same idempotency key: there should be one. */
  readonly ids: Set<string>;
  /** How often its deletion was requested, answered or not. */
  deletions: number;
}

export const newLedger = (accounts: number): Ledger => ({
  uploads: [],
  jobs: [],
  downloads: Array.from({ length: accounts }, () => ({ answered: 0, unknown: 0 })),
  refusals: new Map(),
  requests: 0,
  unanswered: 0,
  wrongs: [],
});
