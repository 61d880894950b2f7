import type { Account } from "../accounts/plans.ts";
import type { LaneId } from "../conversions/lanes.ts";

/** What the operators of a deployment see in addition to its accounts. */

/** The jobs of a lane. */
export interface LaneLoad {
  readonly lane: LaneId;
  /** Messages that wait for a converter. */
  readonly waiting: number;
  /** Messages of jobs that are being converted, or are tried again later. */
  readonly active: number;
  /** Age of the oldest waiting job in milliseconds. @default not known: SQS reports it only as a metric */
  readonly oldestMs?: number;
}

/** Messages that could not be processed. */
export interface DeadLetters {
  /** Name of the queue that they were sent to. The lanes are one: `jobs`. */
  readonly queue: string;
  readonly messages: number;
}

/** Space of the disk with the data, in bytes. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** A port: what a deployment can say about itself. */
export interface Operating {
  /** Email addresses of the operators, in lower case. */
  readonly operators: ReadonlySet<string>;
  readonly version: string;
  /** The settings in force by name, without secrets. */
  readonly settings: ReadonlyMap<string, string>;
  lanes(): Promise<readonly LaneLoad[]>;
  deadLetters(): Promise<readonly DeadLetters[]>;
  /** @returns undefined where space is not limited */
  disk(): Promise<DiskSpace | undefined>;
}

/** @returns the addresses in a list that is separated by commas, in lower case */
export const operatorsIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(",")
      .map((address) => address.trim())
      .filter(Boolean),
  );

/**
 * @param email the address of the person: a member of an operator's account is not an operator
 * @returns whether the person operates the deployment. A visitor never does
 */
export const isOperator = (operating: Operating | undefined, account: Account, email: string): boolean =>
  account.visitorUntil === undefined && operating?.operators.has(email.toLowerCase()) === true;
