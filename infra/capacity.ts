import type { Node } from "constructs";
import { type TaskId, taskIds } from "../functions/api/permissions.ts";
import { type LaneId, laneIds } from "../functions/domain/conversions/lanes.ts";
import { type Bounds, check, isWithin, numberOf, textOf } from "./context-values.ts";

/** Capacity limits, which operators set according to their load (docs/scale.md). */
export interface Capacity {
  /**
   * Requests per second of the entire API. Limits the cost and the concurrent functions: if a third of 100 requests per
   * second waits the full 25 s for its job, 833 functions run, of the 1,000 that an account may run.
   */
  readonly requestsPerSecond: number;
  /** Additional burst requests. @default twice the rate, within the account's limit */
  readonly requestsBurst: number;
  /** Concurrent functions that drain the queue of a lane or of a background task. */
  readonly atOnce: Readonly<Record<LaneId | TaskId, number>>;
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
  imports: 20,
  checks: 20,
  webhooks: 50,
  erasures: 5,
};

/** Range of an event source (Lambda Developer Guide, "Using Lambda with Amazon SQS", maximum concurrency). */
export const FUNCTIONS: Bounds = { min: 2, max: 1_000 };

/** From the default of a table to far above the 40,000 that are allowed without a quota increase. */
export const TABLE_WRITES: Bounds = { min: 4_000, max: 1_000_000 };

/** @throws for an invalid value, with the value and what is allowed */
export const readCapacity = (node: Node): Capacity => {
  const requestsPerSecond = numberOf(node, "requestsPerSecond", REQUESTS) ?? REQUESTS_PER_SECOND;
  return {
    requestsPerSecond,
    requestsBurst: numberOf(node, "requestsBurst", REQUESTS) ?? Math.min(2 * requestsPerSecond, ACCOUNT_BURST),
    atOnce: { ...AT_ONCE, ...atOnceIn(textOf(node, "atOnce")) },
    tableWrites: numberOf(node, "tableWrites", TABLE_WRITES),
  };
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
