import type { SQSEvent } from "aws-lambda";
import { beforeEach, describe, expect, test } from "vitest";
import type { AccountSlots, TaskQueue } from "../../functions/domain/task-ports.ts";
import { fairTaskHandler } from "../../functions/events/queue.ts";
import { memorySlots } from "../../local/memory/slots.ts";
import { NOW } from "../support/world/records.ts";

describe("a task of an account that has as many running ones as allowed", () => {
  let slots: AccountSlots;
  let sent: unknown[];
  let handled: string[];
  beforeEach(() => {
    slots = memorySlots({ import: 1, check: 1, webhook: 1, export: 1 });
    sent = [];
    handled = [];
  });

  const tasks: TaskQueue = {
    importUpload: async (task, inMs) => void sent.push(["import", task, inMs]),
    checkUpload: async (task, inMs) => void sent.push(["check", task, inMs]),
    deliver: async (task, inMs) => void sent.push(["webhook", task, inMs]),
    export: async (task, inMs) => void sent.push(["export", task, inMs]),
    erase: async () => {},
    redeliver: async (delivery, inMs) => void sent.push([delivery, inMs]),
  };
  const handler = fairTaskHandler(
    () => ({ slots, tasks, clock: () => NOW }),
    async (id) => {
      handled.push(id);
      return id === "upl_fails" ? Promise.reject(new Error("It failed.")) : "done";
    },
  );
  const deliver = (body: object, record: object = {}) =>
    handler({ Records: [{ messageId: "message", body: JSON.stringify(body), ...record }] } as SQSEvent);
  const DONE = { batchItemFailures: [] };

  test.each(["import", "check", "webhook", "export"] as const)("is sent again later: %s", async (kind) => {
    await slots.take("acc_1", kind, NOW);
    expect(await deliver({ id: "upl_1", account_id: "acc_1", kind })).toEqual(DONE);
    expect(handled).toEqual([]);
    expect(sent).toEqual([[kind, { id: "upl_1", accountId: "acc_1" }, 10_000]]);
  });

  test("delays neither another account nor another kind of task", async () => {
    await slots.take("acc_1", "import", NOW);
    await deliver({ id: "upl_1", account_id: "acc_1", kind: "check" });
    await deliver({ id: "upl_2", account_id: "acc_2", kind: "import" });
    expect(handled).toEqual(["upl_1", "upl_2"]);
    expect(sent).toEqual([]);
  });

  test("runs after the running ones have ended or failed", async () => {
    const failed = await deliver({ id: "upl_fails", account_id: "acc_1", kind: "import" });
    expect(failed.batchItemFailures).toHaveLength(1);
    await deliver({ id: "upl_1", account_id: "acc_1", kind: "import" });
    expect(handled).toEqual(["upl_fails", "upl_1"]);
  });

  test.each([
    [1, 5_000],
    [3, 20_000],
    [50, 300_000],
  ])("is retried within seconds after it failed: delivery %i after %i ms", async (deliveries, pauseMs) => {
    const attributes = { ApproximateReceiveCount: String(deliveries) };
    const record = { eventSourceARN: "arn:aws:sqs:eu-central-1:1:a", receiptHandle: "receipt", attributes };
    const { batchItemFailures } = await deliver({ id: "upl_fails", account_id: "acc_1", kind: "import" }, record);
    expect(batchItemFailures).toEqual([{ itemIdentifier: "message" }]);
    expect(sent).toEqual([[{ queue: "arn:aws:sqs:eu-central-1:1:a", receipt: "receipt" }, pauseMs]]);
  });

  test("runs if its message is of an earlier release, without an account", async () => {
    await deliver({ id: "upl_1" });
    expect(handled).toEqual(["upl_1"]);
  });
});
