import { randomBytes } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { dynamoAccounts } from "../../../functions/adapters/dynamo/accounts.ts";
import { dynamoRequests, requestsPartition } from "../../../functions/adapters/dynamo/requests.ts";
import { requestEntry } from "../../../functions/domain/requests/request-entry.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import { NOW } from "../../support/world/records.ts";
import { requestStoreContract } from "../contract/request-store.ts";

const emulators = useEmulators();

requestStoreContract("DynamoDB", async () => {
  const dynamo = await emptyDynamo(emulators());
  return {
    requests: dynamoRequests(dynamo),
    accounts: dynamoAccounts(dynamo),
    close: async () => dynamo.client.destroy(),
  };
});

/** Bytes of a write unit (DynamoDB Developer Guide, "Read and write capacity"). */
const WRITE_UNIT_BYTES = 1_024;

test("an entry of a successful request takes one write unit, however long its body is", async () => {
  const dynamo = await emptyDynamo(emulators());
  const body = { id: "job_1", options: { text: '"'.repeat(300) }, steps: Array.from({ length: 20 }, () => "– step") };
  const entry = requestEntry(
    {
      accountId: "acc_00GxPqjL0a1b2c3d4e5f6g",
      keyId: "key_00GxPqjL0a1b2c3d4e5f6g",
      at: NOW,
      requestId: "4f5f9c0e-1c7b-4e57-9a39-0b6c2f6a7d11",
      operation: "createJob",
      method: "POST",
      path: "/api/v1/convert/job_00GxPqjL0a1b2c3d4e5f6g/status",
      status: 202,
      targetId: "job_00GxPqjL0a1b2c3d4e5f6g",
      body,
      durationMs: 12_345,
      bytesIn: 5_000_000_000,
      bytesOut: 5_000_000_000,
    },
    randomBytes,
  );
  await dynamoRequests(dynamo).add([entry]);
  const Key = { accountId: requestsPartition(entry.accountId), period: entry.id };
  const { Item = {} } = await dynamo.client.send(new GetCommand({ TableName: dynamo.tables.quotas, Key }));
  const bytes = Object.entries(Item).reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(`${value}`),
    0,
  );
  expect(bytes).toBeLessThanOrEqual(WRITE_UNIT_BYTES);
  const stored = await dynamoRequests(dynamo).get(entry.accountId, entry.id, NOW);
  expect(stored?.body?.truncated).toBe(true);
  expect(entry.body?.text.startsWith(stored?.body?.text ?? "-")).toBe(true);
  expect(bytes).toBeGreaterThan(WRITE_UNIT_BYTES / 2);
  dynamo.client.destroy();
});
