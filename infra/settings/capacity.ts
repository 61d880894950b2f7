import type { Node } from "constructs";
import { type TaskId, taskIds } from "../../functions/api/permissions.ts";
import type { OperationId } from "../../functions/api/routes.ts";
import { type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import { type Bounds, check, isWithin, numberOf, textOf } from "./context-values.ts";

/** Capacity limits, which operators set according to their load (docs/scale.md). */
export interface Capacity {
  /** Requests per second of the entire API. Limits the cost. */
  readonly requestsPerSecond: number;
  /** Additional burst requests. @default twice the rate, within the account's limit */
  readonly requestsBurst: number;
  /** Concurrent functions that drain the queue of a lane or of a background task. */
  readonly atOnce: Readonly<Record<LaneId | TaskId, number>>;
  /** Functions reserved for operations that wait for jobs and uploads. @default none in an account with few functions */
  readonly waiting: Readonly<Partial<Record<OperationId, number>>> | undefined;
  /** Write units per second that the busy tables accept from the start. @default 4,000, the default of DynamoDB */
  readonly tableWrites: number | undefined;
}

/** Default capacity of a deployment. */
export const REQUESTS_PER_SECOND = 100;

/** Default quota of an account (API Gateway Developer Guide, "Quotas for HTTP APIs"). */
const ACCOUNT_BURST = 5_000;

/** Above any quota that AWS grants; catches typing errors. */
const REQUESTS: Bounds = { min: 1, max: 1_000_000 };

/**
 * All converters together use a quarter of the 1,000 functions that an account may run, which leaves capacity for the
 * API. Expensive lanes have fewer, to limit the cost (20 media converters cost about 8 USD per hour).
 */
export const AT_ONCE: Capacity["atOnce"] = {
  fast: 100,
  data: 80,
  documents: 50,
  media: 20,
  web: 10,
  imports: 20,
  checks: 20,
  webhooks: 50,
  exports: 20,
  erasures: 5,
};

/** Default quota of concurrent functions of an account in a region (AWS Lambda Developer Guide, "Lambda quotas"). */
const FUNCTIONS_QUOTA = 1_000;

/** New accounts have 10. */
const QUOTAS: Bounds = { min: 10, max: 1_000_000 };

/** Smaller quotas leave too few functions to reserve any. */
const RESERVABLE_QUOTA_MIN = 500;

/** Functions that Lambda requires to remain unreserved ("Configuring reserved concurrency for a function"). */
const UNRESERVED_MIN = 100;

/**
 * Shares of the account's functions for operations that can wait 25 s: each is also the maximum, so that waiting requests
 * never hold the functions of other operations. Together 55 %; with the converters' 25 %, 20 % remain for all others.
 */
const WAITING_SHARES = {
  createJob: 0.15,
  getJob: 0.15,
  jobEvents: 0.05,
  getUpload: 0.04,
  completeUpload: 0.04,
  createPipeline: 0.04,
  getPipeline: 0.04,
  pipelineEvents: 0.04,
} as const satisfies Partial<Record<OperationId, number>>;

/**
 * Of the functions of such an operation, those that may wait. The others answer status requests, and waits that would be
 * too many with the current state. Waits are counted in windows, and those of two windows can overlap.
 */
const WAITS_SHARE = 0.8;

/** @returns the waits per window of an operation with this many reserved functions */
export const waitsOf = (reserved: number): number => Math.floor((reserved * WAITS_SHARE) / 2);

/** Range of an event source (Lambda Developer Guide, "Using Lambda with Amazon SQS", maximum concurrency). */
export const FUNCTIONS: Bounds = { min: 2, max: 1_000 };

/** From the default of a table to far above the 40,000 that are allowed without a quota increase. */
export const TABLE_WRITES: Bounds = { min: 4_000, max: 1_000_000 };

/** @throws for an invalid value, with the value and what is allowed */
export const readCapacity = (node: Node): Capacity => {
  const requestsPerSecond = numberOf(node, "requestsPerSecond", REQUESTS) ?? REQUESTS_PER_SECOND;
  const quota = numberOf(node, "functionsQuota", QUOTAS) ?? FUNCTIONS_QUOTA;
  const atOnce = { ...atOnceWithin(quota), ...atOnceIn(textOf(node, "atOnce")) };
  return {
    requestsPerSecond,
    requestsBurst: numberOf(node, "requestsBurst", REQUESTS) ?? Math.min(2 * requestsPerSecond, ACCOUNT_BURST),
    atOnce,
    waiting: quota < RESERVABLE_QUOTA_MIN ? undefined : waitingWithin(quota, atOnce),
    tableWrites: numberOf(node, "tableWrites", TABLE_WRITES),
  };
};

/** No queue gets more than a tenth of the account's functions by default. */
const atOnceWithin = (quota: number): Capacity["atOnce"] => {
  const max = Math.max(FUNCTIONS.min, Math.floor(quota / 10));
  return Object.fromEntries(
    Object.entries(AT_ONCE).map(([queue, functions]) => [queue, Math.min(functions, max)]),
  ) as Record<LaneId | TaskId, number>;
};

/** @throws when the functions of the lanes and of waiting operations leave too few for the others */
const waitingWithin = (quota: number, atOnce: Capacity["atOnce"]): Capacity["waiting"] => {
  const waiting = Object.fromEntries(
    Object.entries(WAITING_SHARES).map(([operation, share]) => [operation, Math.floor(quota * share)]),
  );
  const converting = laneIds.map((lane) => atOnce[lane]);
  const reserved = [...converting, ...Object.values(waiting)].reduce((sum, functions) => sum + functions);
  check(
    quota - reserved >= UNRESERVED_MIN,
    "functionsQuota",
    String(quota),
    `the account's quota of concurrent functions, at least ${UNRESERVED_MIN} more than the ${reserved} that are reserved for converters and waiting requests`,
  );
  return waiting;
};

const queues: readonly string[] = [...laneIds, ...taskIds];

/** @param text `media:45,webhooks:100` */
const atOnceIn = (text: string | undefined): Readonly<Record<string, number>> => {
  const pairs = text?.split(",").map((pair) => pair.split(":")) ?? [];
  const makesSense = ([queue = "", functions = "", ...rest]: readonly string[]): boolean =>
    queues.includes(queue) && isWithin(functions, FUNCTIONS) && rest.length === 0;
  const names = new Set(pairs.map(([queue]) => queue));
  check(
    pairs.every(makesSense) && names.size === pairs.length,
    "atOnce",
    text,
    `queues with ${FUNCTIONS.min} to ${FUNCTIONS.max} functions each, as media:45,webhooks:100, of ${queues.join(", ")}`,
  );
  return Object.fromEntries(pairs.map(([queue, functions]) => [queue, Number(functions)]));
};
