import { join } from "node:path";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulators, startEmulators } from "../support/emulators/emulators.ts";
import { bundledOnce } from "../support/run/bundled.ts";
import type { NewAccount } from "../support/services/local-service.ts";
import { startOperator } from "../support/services/operator.ts";
import { type HttpCall, httpEvent, invoked } from "./support/bundled-function.ts";

/** The code that is deployed, without what no function needs of the AWS clients, against DynamoDB, S3 and SQS. */

const root = join(import.meta.dirname, "../..");

let emulators: Emulators;
let key = "";

beforeAll(async () => {
  emulators = await startEmulators();
  const operator = startOperator("aws", emulators.environment);
  try {
    const args = ["create", "--email", "bundles@example.com", "--plan", "enterprise", "--quota", "10"];
    key = (await operator.accounts<NewAccount>(args)).api_key;
  } finally {
    await operator.stop();
  }
}, 60_000);
afterAll(() => emulators?.stop());

interface Reply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const environment = () => ({
  ...emulators.environment,
  POWERTOOLS_LOG_LEVEL: "WARN",
  PATH: process.env.PATH ?? "",
  // The packages of the layers.
  NODE_PATH: join(root, "node_modules"),
});

const call = async (name: string, path: string, { headers, ...options }: HttpCall = {}) => {
  const { folder: dist } = bundledOnce();
  const event = httpEvent(path, { ...options, headers: { authorization: `Bearer ${key}`, ...headers } });
  const reply = (await invoked(name, event, { dist, environment: environment() })) as Reply;
  const bytes = Buffer.from(reply.body ?? "", reply.isBase64Encoded ? "base64" : "utf8");
  return { status: reply.statusCode, headers: reply.headers, bytes, json: () => JSON.parse(bytes.toString()) };
};

/** @returns the next message of the lane for images, as Lambda delivers it */
const delivered = async (): Promise<object> => {
  const { environment: names } = emulators;
  const sqs = new SQSClient({
    endpoint: names.AWS_ENDPOINT_URL_SQS ?? "",
    region: "us-east-1",
    credentials: { accessKeyId: names.AWS_ACCESS_KEY_ID ?? "", secretAccessKey: names.AWS_SECRET_ACCESS_KEY ?? "" },
  });
  const command = new ReceiveMessageCommand({ QueueUrl: names.ANYFORM_QUEUE_URL_FAST, WaitTimeSeconds: 5 });
  const { Messages = [] } = await sqs.send(command);
  sqs.destroy();
  expect(Messages).toHaveLength(1);
  return {
    Records: Messages.map(({ Body, MessageId }) => ({
      messageId: MessageId,
      body: Body,
      attributes: { ApproximateReceiveCount: "1" },
    })),
  };
};

test("an image is uploaded, converted and downloaded", async () => {
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const form = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
    image,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const upload = await call("create-upload", "/api/v1/upload", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: form,
  });
  expect([upload.status, upload.json()]).toMatchObject([201, { status: "ready", format: "png" }]);

  const job = await call("create-job", "/api/v1/convert", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ upload_id: upload.json().upload_id, target_format: "jpg" })),
  });
  expect([job.status, job.json()]).toMatchObject([202, { status: "queued" }]);

  expect(
    await invoked("convert-file", await delivered(), { dist: bundledOnce().folder, environment: environment() }),
  ).toEqual({ batchItemFailures: [] });

  const { id } = job.json();
  const ended = await call("get-job", `/api/v1/convert/${id}/status`, { pathParameters: { id } });
  expect([ended.status, ended.json()]).toMatchObject([200, { status: "completed" }]);

  const token = new URL(ended.json().result.download_url).pathname.split("/").at(-1) ?? "";
  const download = await call("download-result", `/api/v1/download/${token}`, { pathParameters: { token } });
  expect(download.status).toBe(302);
  const result = Buffer.from(await (await fetch(download.headers.location ?? "")).arrayBuffer());
  const { format, width, height } = await sharp(result).metadata();
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 40, height: 30 });
}, 120_000);
