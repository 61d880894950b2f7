import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { storedRequestLog } from "../../functions/adapters/stored-request-log.ts";
import type { LoggedRequest, RequestStore } from "../../functions/domain/requests/logged-request.ts";
import { requestEntry } from "../../functions/domain/requests/request-entry.ts";
import { NOW } from "../support/world/records.ts";

const entry = (status: number): LoggedRequest =>
  requestEntry(
    {
      accountId: "acc_1",
      at: NOW,
      requestId: "r",
      operation: "getJob",
      method: "GET",
      path: "/",
      status,
      durationMs: 1,
    },
    randomBytes,
  );

const store = (add: RequestStore["add"]): RequestStore => ({
  add,
  list: async () => ({ items: [] }),
  get: async () => undefined,
  erase: async () => false,
});

test.each([
  ["all", [200, 404]],
  ["failed", [404]],
  ["off", []],
] as const)("with %s, stores the requests with status %j", async (mode, expected) => {
  const stored: number[] = [];
  const add: RequestStore["add"] = async (entries) => void stored.push(...entries.map(({ status }) => status));
  const log = storedRequestLog(store(add), { mode, onError: () => {} });
  await log.record(entry(200));
  await log.record(entry(404));
  expect(stored).toEqual(expected);
});

test("a table that fails or never answers does not fail or hold the response", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const failing = async () => {
    throw new Error("throttled");
  };
  await storedRequestLog(store(failing), { mode: "all", onError }).record(entry(200));
  await storedRequestLog(
    store(() => new Promise(() => {})),
    { mode: "all", onError },
  ).record(entry(200));
  expect(errors).toHaveLength(2);
});
