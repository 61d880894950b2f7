import type { PlannedJob } from "./plan.ts";

/** What the clients know for certain: each fact is an answer that they got. The invariants are held against it. */
export interface Ledger {
  /** Uploads that were answered with 201. */
  readonly uploads: { readonly id: string; readonly account: number; readonly test: boolean }[];
  readonly jobs: JobFacts[];
  /** By account. */
  readonly downloads: { answered: number; unknown: number }[];
  /** Requests that were refused, by code. */
  readonly refusals: Map<string, number>;
  /** Requests in all, with those that got no answer or an error of the service. */
  requests: number;
  unanswered: number;
  /** What no client should ever see. */
  readonly wrongs: string[];
}

/** A conversion that was accepted. */
export interface JobFacts {
  readonly plan: PlannedJob;
  /** Every id that was answered to the same idempotency key: there should be one. */
  readonly ids: Set<string>;
  /** How often its deletion was asked for, answered or not. */
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
