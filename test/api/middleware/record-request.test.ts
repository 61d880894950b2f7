import { afterEach, beforeEach, expect, test } from "vitest";
import { recordAnswer } from "../../../functions/api/middleware/record-request.ts";
import type { Answer } from "../../../functions/api/request.ts";
import type { LoggedRequest } from "../../../functions/domain/requests/logged-request.ts";
import { NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let recorded: LoggedRequest[];

beforeEach(() => {
  world = makeWorld(NOW);
  recorded = [];
});
afterEach(() => world.close());

/** Records a response, 7 ms after its request arrived. */
const record = (request: Partial<ReturnType<typeof requestOf>>, answer: Answer, keyId?: string): void => {
  const { requestLog } = world.context;
  if (requestLog === undefined) {
    throw new TypeError("The world has no log.");
  }
  const log = { ...requestLog, record: (entry: LoggedRequest) => void recorded.push(entry) };
  recordAnswer(
    { context: { ...world.context, requestLog: log }, request: { ...requestOf(undefined), now: NOW - 7, ...request } },
    {
      answer,
      caller: { accountId: "acc_1", ...(keyId !== undefined && { keyId }) },
      bytesIn: 10,
      bytesOut: undefined,
    },
  );
};

test("a conversion in one call is logged with its job and without its file", () => {
  record(
    { operation: "createJob", path: "/api/v1/convert" },
    { status: 200, headers: { "x-job-id": "job_1" } },
    "key_1",
  );
  expect(recorded).toEqual([
    {
      id: expect.stringMatching(/^req_/),
      accountId: "acc_1",
      keyId: "key_1",
      at: NOW - 7,
      requestId: "request",
      operation: "createJob",
      method: "POST",
      path: "/api/v1/convert",
      status: 200,
      durationMs: 7,
      bytesIn: 10,
      jobId: "job_1",
    },
  ]);
});

test("a session is logged if it changes something or fails, except for the deletion of the account", () => {
  record({ method: "GET", operation: "listKeys" }, { status: 200 });
  record({ method: "DELETE", operation: "deleteAccount" }, { status: 204 });
  expect(recorded).toEqual([]);
  record({ method: "GET", operation: "getJob" }, { status: 404, body: { code: "not_found" } });
  record({ method: "DELETE", operation: "deleteKey" }, { status: 204 });
  expect(recorded.map(({ operation, code }) => [operation, code])).toEqual([
    ["getJob", "not_found"],
    ["deleteKey", undefined],
  ]);
});

test("the log does not contain the bodies of responses that list it", () => {
  record({ method: "GET", operation: "listRequests" }, { status: 200, body: { requests: [{ path: "/" }] } }, "key_1");
  expect(recorded[0]?.body).toBeUndefined();
});
