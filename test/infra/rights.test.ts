import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { DynamoDBStreamEvent, SQSEvent } from "aws-lambda";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ApiEvent, ApiResult } from "../../functions/api/request.ts";
import { context } from "../../functions/context.ts";
import { issueKey, openAccount } from "../../functions/domain/accounts.ts";
import { newDownloadToken } from "../../functions/domain/ids.ts";
import { handler as announceEnd } from "../../functions/events/announce-end.ts";
import { convertFile, type RunConversion } from "../../functions/events/convert-file.ts";
import { handler as deliverWebhook } from "../../functions/events/deliver-webhook.ts";
import { handler as eraseFiles } from "../../functions/events/erase-files.ts";
import { handler as failUpload } from "../../functions/events/fail-upload.ts";
import { handler as importUpload } from "../../functions/events/import-upload.ts";
import { handler as sweep } from "../../functions/events/sweep-jobs.ts";
import { permissions, taskIds } from "../../infra/permissions.ts";
import { loadRouter } from "../../local/router.ts";
import { addressOf } from "../support/address.ts";
import { useEmulators } from "../support/emulator-suite.ts";
import { rightsOf, type UsedRight, watchCalls } from "../support/used-rights.ts";

/**
 * Operations and events are run over the emulators, and what they ask of AWS is held against their rows in the table of
 * permissions: nothing is missing, which the emulators would not notice, and nothing is there in vain.
 */

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const FORM = Buffer.concat([
  Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
  PNG,
  Buffer.from("\r\n--x--\r\n"),
]);
const BROKEN_BYTES = 10_000_000;

let running = "";
const used = new Map<string, UsedRight[]>();
const told = (rights: readonly UsedRight[]): void => {
  if (running !== "") {
    used.set(running, [...(used.get(running) ?? []), ...rights]);
  }
};

/** A signed URL is asked of nobody, and still does what its signer may. */
vi.mock(import("@aws-sdk/s3-request-presigner"), async (original) => {
  const real = await original();
  return {
    ...real,
    getSignedUrl: (...args) => {
      told(rightsOf(args[1] as never, String));
      return real.getSignedUrl(...args);
    },
  };
});

const emulators = useEmulators();
let files: Server;
let filesUrl: string;
let key: string;
let accountId: string;

beforeAll(async () => {
  files = createServer((request, response) => {
    if (request.url === "/broken") {
      response.writeHead(200, { "content-length": String(2 * BROKEN_BYTES) }).write(randomBytes(BROKEN_BYTES), () => {
        response.destroy();
      });
      return;
    }
    response.writeHead(request.url === "/hook" ? 500 : 200).end(PNG);
  });
  filesUrl = await addressOf(files);
  process.env.ANYFORM_ALLOW_ADDRESSES = "127.0.0.1";
  const names = Object.entries(emulators().environment);
  const nameOf = (value: unknown) =>
    (names.find(([name, known]) => known === value && name.startsWith("ANYFORM_"))?.[0] ?? String(value))
      .replace(/^ANYFORM_(QUEUE_URL_)?|_TABLE$/g, "")
      .toLowerCase();
  watchCalls((sent) => told(rightsOf(sent, nameOf)));
  await withAccount("one@example.com");
  await context().accounts.setPreferences(accountId, { retentionHours: 0 });
  await runEverything();
  // The first webhook of an account is the one that makes a secret.
  await withAccount("two@example.com");
  await convertTwice();
  running = "";
});
afterAll(() => {
  vi.restoreAllMocks();
  files.close();
});

const withAccount = async (email: string): Promise<void> => {
  accountId = (await openAccount(context(), { email, plan: "api", quota: undefined }))?.id ?? "";
  ({ key } = await issueKey(context(), { accountId, name: "rights" }));
};

const serving = loadRouter();

interface Asked {
  readonly body?: unknown;
  readonly form?: Buffer;
  readonly headers?: Record<string, string>;
}

/** Times that a request is sent which comes too soon after the others of its account. */
const TRIES_MAX = 5;

/** Has the operation answer as API Gateway would. @returns the body of its answer */
const call = async (target: string, asked: Asked = {}, tries = 1): Promise<ReturnType<typeof JSON.parse>> => {
  const answer = await answerTo(target, asked);
  if (answer.statusCode === 429 && tries < TRIES_MAX) {
    await setTimeout(1_000);
    return call(target, asked, tries + 1);
  }
  expect(answer.statusCode, `${target}: ${answer.body}`).not.toBe(429);
  expect(answer.statusCode, `${target}: ${answer.body}`).toBeLessThan(500);
  return JSON.parse(answer.body ?? "{}");
};

const answerTo = async (target: string, { body, form, headers = {} }: Asked): Promise<ApiResult> => {
  const [method = "", path = ""] = target.split(" ");
  const { route, params, handler } = (await serving)(method, path);
  running = route.operation;
  const type = form === undefined ? "application/json" : "multipart/form-data; boundary=x";
  const event = {
    rawPath: path,
    headers: { authorization: `Bearer ${key}`, "content-type": type, ...headers },
    pathParameters: params,
    queryStringParameters: {},
    requestContext: { requestId: randomBytes(8).toString("hex"), domainName: "localhost", http: { method, path } },
    body: form?.toString("base64") ?? (body === undefined ? undefined : JSON.stringify(body)),
    isBase64Encoded: form !== undefined,
  } as unknown as ApiEvent;
  const answer = await handler(event, {} as never);
  running = "";
  return answer;
};

/** Hands a message to the function of a queue, as Lambda would. */
const deliver = async (event: string, handler: (event: SQSEvent) => Promise<unknown>, id: string): Promise<void> => {
  running = event;
  await handler({ Records: [{ messageId: "1", body: JSON.stringify({ id }) }] } as SQSEvent);
  running = "";
};

/** Sends one file in each way, each request twice, and has it imported. @returns one that is ready */
const uploads = async (): Promise<string> => {
  const headers = (name: string) => ({ "idempotency-key": name });
  const inParts = { filename: "a.png", size: 120_000_000 };
  let parts = { upload_id: "" };
  for (const _ of ["first", "again"]) {
    await call("POST /api/v1/upload", { form: FORM, headers: headers("form") });
    parts = await call("POST /api/v1/upload", { body: inParts, headers: headers("parts") });
  }
  await call(`GET /api/v1/upload/${parts.upload_id}`);
  await call(`POST /api/v1/upload/${parts.upload_id}/complete`);
  await deliver("importUpload", importUpload, parts.upload_id);
  const whole = await call("POST /api/v1/upload", { body: { filename: "a.png", size: PNG.length } });
  await fetch(whole.upload.url, { method: "PUT", body: PNG });
  await call(`GET /api/v1/upload/${whole.upload_id}`);
  await call(`POST /api/v1/upload/${whole.upload_id}/complete`);
  await deliver("importUpload", importUpload, whole.upload_id);
  for (const path of ["/a.png", "/broken"]) {
    const fetched = await call("POST /api/v1/upload", { body: { url: `${filesUrl}${path}` } });
    await deliver("importUpload", importUpload, fetched.upload_id);
  }
  const lost = await call("POST /api/v1/upload", { body: { url: filesUrl } });
  await deliver("failUpload", failUpload, lost.upload_id);
  return whole.upload_id;
};

const converted: RunConversion = async ({ input }) => ({ output: input, bundled: false, timings: [], warnings: [] });

const convert = async (id: string): Promise<void> => {
  running = "convertFile";
  await convertFile(context(), converted)({ jobId: id, accountId });
  running = "";
};

const runEverything = async (): Promise<void> => {
  const upload_id = await uploads();
  const body = { upload_id, target_format: "jpg", webhook_url: `${filesUrl}/hook` };
  const headers = { "idempotency-key": "job" };
  const first = await call("POST /api/v1/convert", { body, headers });
  await call("POST /api/v1/convert", { body, headers });
  await convert(first.id);
  running = "announceEnd";
  const Keys = { pk: { S: first.id } };
  await announceEnd({ Records: [{ dynamodb: { Keys } }] } as unknown as DynamoDBStreamEvent);
  const message = first.id.replace("job_", "msg_");
  await deliver("deliverWebhook", deliverWebhook, message);
  const done = await call(`GET /api/v1/convert/${first.id}/status`);
  await call(`GET /api/v1/download/${done.result.download_token}`);
  await context().jobs.expireResult(first.id, 1);
  await deliver("eraseFiles", eraseFiles, first.id);
  const other = await call("POST /api/v1/convert", { body });
  await call("GET /api/v1/convert");
  await call(`DELETE /api/v1/convert/${other.id}`);
  await call(`DELETE /api/v1/convert/${first.id}`);
  await call("GET /api/v1/account");
  await call("GET /api/v1/webhooks");
  await call(`POST /api/v1/webhooks/${message}/redeliver`);
  await call("GET /api/v1/webhooks/secret");
  await call("POST /api/v1/webhooks/secret");
  await call(`GET /api/v1/download/${newDownloadToken(randomBytes)}`);
  running = "sweepJobs";
  await sweep();
  running = "";
};

const convertTwice = async (): Promise<void> => {
  const { upload_id } = await call("POST /api/v1/upload", { form: FORM });
  const body = { conversions: [{ upload_id, target_format: "jpg", webhook_url: `${filesUrl}/hook` }] };
  const headers = { "idempotency-key": "batch" };
  for (const _ of ["first", "again"]) {
    await call("POST /api/v1/convert/batch", { body, headers });
  }
};

/** Rows that are held to be just right; of the others not every path is gone here. */
const complete = Object.keys(permissions).filter((name) => !["convertFile", "failJob", "sweepJobs"].includes(name));

const granted = (name: string): string[] => {
  const { tables, index, files: prefixes = {}, asks = [] } = permissions[name as keyof typeof permissions];
  const actions = Object.entries({ ...tables, ...prefixes }).flatMap(([resource, names]) =>
    names.map((action) => `${action} on ${resource}`),
  );
  const query = index === undefined ? [] : [`Query on jobs/${index}`];
  return [...actions, ...query, ...asks.map((queue) => `SendMessage on ${queue}`)].sort();
};

const isLane = ({ action, resource }: UsedRight): boolean =>
  action === "SendMessage" && !taskIds.some((task) => task === resource);

const asked = (name: string): string[] => {
  const rights = (used.get(name) ?? []).filter((right) => !isLane(right));
  return [...new Set(rights.map(({ action, resource }) => `${action} on ${resource}`))].sort();
};

test.each(complete)("%s asks of AWS just what its row allows", (name) => {
  expect(asked(name)).toEqual(granted(name));
});

test.each(["convertFile", "sweepJobs"])("%s asks of AWS nothing that its row does not allow", (name) => {
  expect(asked(name).filter((right) => !granted(name).includes(right))).toEqual([]);
});

test("only those send to lanes whose rows say so", () => {
  const senders = [...used].filter(([, rights]) => rights.some(isLane)).map(([name]) => name);
  expect(senders.sort()).toEqual(["createBatch", "createJob"]);
});

test.each(
  Object.entries(permissions).flatMap(([name, { only = {} }]) =>
    Object.entries(only).map((row) => [name, ...row] as const),
  ),
)(
  "%s keeps within the records and attributes of the table %s that its row names",
  (name, table, { records, attributes }) => {
    const rights = (used.get(name) ?? []).filter(({ resource }) => resource === table);
    expect(rights.length).toBeGreaterThan(0);
    if (records !== undefined) {
      expect(rights.filter(({ record }) => !record?.startsWith(records.replace("*", "")))).toEqual([]);
    }
    if (attributes !== undefined) {
      expect(new Set(rights.flatMap((right) => right.attributes ?? []))).toEqual(new Set(attributes));
    }
  },
);
