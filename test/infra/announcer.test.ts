import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { dynamoJobs } from "../../functions/adapters/dynamo/jobs/jobs.ts";
import type { Dynamo } from "../../functions/adapters/dynamo/records.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { emptyDynamo, useEmulators } from "../support/emulators/emulator-suite.ts";
import { completedOutcome, failedRecord, jobRecord, NOW, quotaRecord } from "../support/world/records.ts";
import { synthesise } from "./support/synthesise.ts";

/** Checks the stack's stream filter against the items that the adapter writes. */

const emulators = useEmulators();
let dynamo: Dynamo;
let patterns: unknown[];
beforeAll(async () => {
  dynamo = await emptyDynamo(emulators());
  const [mapping] = Object.values(
    synthesise().findResources("AWS::Lambda::EventSourceMapping", { Properties: { StartingPosition: "TRIM_HORIZON" } }),
  );
  patterns = mapping?.Properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));
});

/** What Lambda does with the three kinds of rules that the filter has (Lambda Developer Guide, "Filter rule syntax"). */
const matches = (rule: unknown, value: unknown): boolean => {
  if (Array.isArray(rule)) {
    return rule.some((wanted) =>
      typeof wanted === "object" ? value !== undefined && !wanted["anything-but"]?.includes(value) : wanted === value,
    );
  }
  const [rules, values] = [Object.entries(rule as object), (value ?? {}) as Record<string, unknown>];
  return rules.every(([name, each]) => matches(each, values[name]));
};

const invokes = async (id: string, eventName = "MODIFY"): Promise<boolean> => {
  const client = new DynamoDBClient({});
  const { Item } = await client.send(new GetItemCommand({ TableName: dynamo.tables.jobs, Key: { pk: { S: id } } }));
  return patterns.some((pattern) => matches(pattern, { eventName, dynamodb: { NewImage: Item } }));
};

const WEBHOOK = { url: "https://example.com/hook", baseUrl: "https://files.example.com" };

const added = async (overrides: Partial<Job>) => {
  const [job, jobs] = [jobRecord(overrides), dynamoJobs(dynamo)];
  await jobs.createJob(job, quotaRecord(job.accountId, 10));
  return { id: job.id, jobs };
};

test("a job with a webhook invokes the announcer when it completes, and not before", async () => {
  const { id, jobs } = await added({ webhook: WEBHOOK });
  expect(await invokes(id, "INSERT")).toBe(false);
  await jobs.claim(id, NOW);
  await jobs.progress(id, 1, 50);
  expect(await invokes(id)).toBe(false);
  await jobs.finish(id, 1, completedOutcome(id, 1), NOW);
  expect(await invokes(id)).toBe(true);
});

test("a job with a webhook invokes the announcer when it fails or is cancelled", async () => {
  const failed = await added({ webhook: WEBHOOK });
  await failed.jobs.finish(failed.id, 0, failedRecord(true), NOW);
  expect(await invokes(failed.id)).toBe(true);
  const cancelled = await added({ webhook: WEBHOOK });
  await cancelled.jobs.cancel(cancelled.id, NOW);
  expect(await invokes(cancelled.id)).toBe(true);
});

test("a job without a webhook and a deleted record do not invoke the announcer", async () => {
  const silent = await added({});
  await silent.jobs.finish(silent.id, 0, failedRecord(false), NOW);
  expect(await invokes(silent.id)).toBe(false);
  const withWebhook = await added({ webhook: WEBHOOK });
  await withWebhook.jobs.cancel(withWebhook.id, NOW);
  expect(await invokes(withWebhook.id, "REMOVE")).toBe(false);
});

test("a job invokes the announcer when an attempt has returned it to the queue, so that it is retried at once", async () => {
  const { id, jobs } = await added({});
  expect(await invokes(id)).toBe(false);
  await jobs.claim(id, NOW);
  expect(await invokes(id)).toBe(false);
  await jobs.release(id, 1, NOW + 1);
  expect(await invokes(id)).toBe(true);
});
