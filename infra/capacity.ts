import type { Node } from "constructs";
import { type LaneId, laneIds } from "../functions/domain/lanes.ts";
import { type Bounds, check, isWithin, numberOf, textOf } from "./context-values.ts";
import { type TaskId, taskIds } from "./permissions.ts";

/** How much of the service there may be at once: what an operator sets by the size of the load (docs/scale.md). */
export interface Capacity {
  /**
   * Requests a second that the whole API takes. They bound the bill, and the functions that run at once: when a third of
   * 100 requests a second wait for their job the full 25 s, 833 do, of the 1,000 that an account may run.
   */
  readonly requestsPerSecond: number;
  /** Requests that may come at once, on top. @default twice as many, as far as an account may */
  readonly requestsBurst: number;
  /** Functions at the same time that drain the queue of a lane, or of work beside conversions. */
  readonly atOnce: Readonly<Record<LaneId | TaskId, number>>;
  /** Write units a second that the busy tables take from their first second on. @default 4,000, DynamoDB's own */
  readonly tableWrites: number | undefined;
}

/** What a deployment has where nothing is said. */
export const REQUESTS_PER_SECOND = 100;

/** What an account has before it asks for more (API Gateway Developer Guide, "Quotas for HTTP APIs"). */
const ACCOUNT_BURST = 5_000;

/** More of AWS than one account was ever given; it is there for slips of the hand. */
const REQUESTS: Bounds = { min: 1, max: 1_000_000 };

/**
 * Converters are together a quarter of the 1,000 functions that an account may run, so the API has room. The dearer lanes
 * have fewer: they bound the bill (20 of media for an hour cost about 8 USD).
 */
export const AT_ONCE: Capacity["atOnce"] = {
  fast: 100,
  data: 80,
  documents: 50,
  media: 20,
  imports: 20,
  webhooks: 50,
  erasures: 5,
};

/** What an event source may ask for (Lambda Developer Guide, "Using Lambda with Amazon SQS", maximum concurrency). */
export const FUNCTIONS: Bounds = { min: 2, max: 1_000 };

/** From what each table has anyway to far above the 40,000 that one may have without asking. */
export const TABLE_WRITES: Bounds = { min: 4_000, max: 1_000_000 };

/** @throws when one makes no sense: with its value, and what would */
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
