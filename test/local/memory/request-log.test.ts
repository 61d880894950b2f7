import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Measurement } from "../../../functions/domain/metrics.ts";
import type { LoggedRequest, RequestStore } from "../../../functions/domain/requests/logged-request.ts";
import { requestEntry } from "../../../functions/domain/requests/request-entry.ts";
import { BATCH_MAX, bufferedRequestLog, WAITING_MAX } from "../../../local/memory/request-log.ts";
import { NOW } from "../../support/world/records.ts";

const entry = (requestId: string): LoggedRequest =>
  requestEntry(
    {
      accountId: "acc_1",
      at: NOW,
      requestId,
      operation: "getJob",
      method: "GET",
      path: "/",
      status: 200,
      durationMs: 1,
    },
    randomBytes,
  );

/** A log with a store that collects its batches. */
const logOn = (add: RequestStore["add"]) => {
  const measured: Measurement[] = [];
  const errors: unknown[] = [];
  const log = bufferedRequestLog({
    store: {
      add,
      list: async () => ({ items: [] }),
      get: async () => undefined,
      erase: async () => false,
    },
    metrics: { record: (measurements) => void measured.push(...measurements) },
    onError: (error) => void errors.push(error),
  });
  const dropped = () => measured.reduce((sum, { value }) => sum + value, 0);
  return { log, errors, dropped };
};

test("entries are written in batches, in their order, and before the log is read", async () => {
  const batches: (readonly LoggedRequest[])[] = [];
  const { log, dropped } = logOn(async (batch) => void batches.push(batch));
  const ids = Array.from({ length: BATCH_MAX + 50 }, (_, index) => `r-${index}`);
  for (const id of ids) {
    expect(log.record(entry(id))).toBeUndefined();
  }
  expect(batches).toEqual([]);
  await log.list({ accountId: "acc_1", limit: 1, now: NOW });
  expect(batches.map(({ length }) => length)).toEqual([BATCH_MAX, 50]);
  expect(batches.flat().map(({ requestId }) => requestId)).toEqual(ids);
  expect(dropped()).toBe(0);
});

test("the oldest entries are dropped and counted when too many wait", async () => {
  const written: LoggedRequest[] = [];
  const { log, dropped } = logOn(async (batch) => void written.push(...batch));
  for (let index = 0; index < WAITING_MAX + 3; index += 1) {
    log.record(entry(`r-${index}`));
  }
  await log.flush();
  expect(written).toHaveLength(WAITING_MAX);
  expect(written[0]?.requestId).toBe("r-3");
  expect(dropped()).toBe(3);
});

test("entries that cannot be written are counted, and later ones are written", async () => {
  let works = false;
  const written: LoggedRequest[] = [];
  const { log, errors, dropped } = logOn(async (batch) => {
    if (!works) {
      throw new Error("The disk is full.");
    }
    written.push(...batch);
  });
  log.record(entry("r-1"));
  await log.flush();
  expect([errors.length, dropped()]).toEqual([1, 1]);
  works = true;
  log.record(entry("r-2"));
  await log.flush();
  expect(written.map(({ requestId }) => requestId)).toEqual(["r-2"]);
});
