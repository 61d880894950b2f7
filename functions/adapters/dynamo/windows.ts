import type { Dynamo } from "./records.ts";
import { update } from "./writes.ts";

/**
 * Counts of an account in windows of time, in the quotas table of DynamoDB. A record counts one window and is reused for
 * a later one, so an account has a constant number of records, which need no deletion.
 */
export interface WindowCount {
  readonly accountId: string;
  /** The record, the sort key of the table. */
  readonly period: string;
  /** The number of the window; later windows have greater numbers. */
  readonly window: number;
}

/** Counts one more in the window. @returns the new count; undefined when the limit was reached */
export const countInWindow = async (dynamo: Dynamo, count: WindowCount, limit: number): Promise<number | undefined> =>
  (await countMore(dynamo, count, limit)) ??
  (await takeOver(dynamo, count)) ??
  // Another request has taken over the record in the meantime.
  (await countMore(dynamo, count, limit));

/** Counts one less in the window, unless its record counts a later one. */
export const countBack = async (dynamo: Dynamo, { accountId, period, window }: WindowCount): Promise<void> => {
  await update(dynamo, {
    table: dynamo.tables.quotas,
    key: { accountId, period },
    update: "SET #taken = #taken - :one",
    condition: "#second = :window AND #taken > :zero",
    values: { ":window": window, ":one": 1, ":zero": 0 },
  });
};

const countMore = async (
  dynamo: Dynamo,
  { accountId, period, window }: WindowCount,
  limit: number,
): Promise<number | undefined> => {
  const counted = await update(dynamo, {
    table: dynamo.tables.quotas,
    key: { accountId, period },
    update: "SET #second = :window, #taken = if_not_exists(#taken, :zero) + :one",
    condition: "attribute_not_exists(#second) OR (#second = :window AND #taken < :limit)",
    values: { ":window": window, ":zero": 0, ":one": 1, ":limit": limit },
  });
  return counted && Number(counted.taken);
};

/**
 * A record that counts a window this far ahead was written by a clock that was wrong. It is reused: otherwise nothing would
 * be counted until that window.
 */
const WRONG_WINDOWS_AHEAD = 4;

/** Reuses the record of an earlier window. */
const takeOver = async (dynamo: Dynamo, { accountId, period, window }: WindowCount): Promise<number | undefined> => {
  const counted = await update(dynamo, {
    table: dynamo.tables.quotas,
    key: { accountId, period },
    update: "SET #second = :window, #taken = :one",
    condition: "#second < :window OR #second > :far",
    values: { ":window": window, ":far": window + WRONG_WINDOWS_AHEAD, ":one": 1 },
  });
  return counted && 1;
};
