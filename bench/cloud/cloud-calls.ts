import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { ApiEvent } from "../../functions/api/request.ts";
import { startEmulators } from "../../test/support/emulators/emulators.ts";

/** AWS usage of a conversion: runs the deployed handlers against emulators, which report the capacity of each call. */

/** Usage of one operation or event. */
export interface Calls {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The share of the quotas table, in which the counts of an account share a partition. */
  readonly countUnits: number;
  readonly s3Puts: number;
  readonly s3Gets: number;
  readonly messages: number;
  /** All calls; each adds latency. */
  readonly count: number;
  /** CPU time of this process, without the first runs that load and compile, and without engines. */
  readonly cpuMs: number;
}

/** The steps of a conversion that invoke functions. */
export const steps = ["createUpload", "createJob", "convertFile", "announceEnd", "getJob", "downloadResult"] as const;

export type StepId = (typeof steps)[number];

/** The account has a large quota: by then, nearly all shards of its count have units. */
const WARM_UPS = 40;
const RUNS = 60;

interface Sent {
  readonly constructor: { readonly name: string };
  readonly input: Record<string, unknown>;
}

interface Capacity {
  readonly TableName?: string;
  readonly CapacityUnits?: number;
}

const WRITES = new Set(["PutCommand", "UpdateCommand", "DeleteCommand", "TransactWriteCommand", "BatchWriteCommand"]);
const S3_PUTS = new Set(["PutObjectCommand", "CopyObjectCommand", "UploadPartCommand"]);

type Count = { -readonly [Name in keyof Calls]: number };

const nothing = (): Count => ({
  readUnits: 0,
  writeUnits: 0,
  countUnits: 0,
  s3Puts: 0,
  s3Gets: 0,
  messages: 0,
  count: 0,
  cpuMs: 0,
});

let current = nothing();

/** Counts every SDK call, and makes DynamoDB report the consumed capacity. */
const watch = (): void => {
  for (const { prototype } of [DynamoDBDocumentClient, S3Client, SQSClient]) {
    // The three clients share `send`, but not its types.
    const target = prototype as unknown as { send: (command: Sent, ...rest: unknown[]) => Promise<unknown> };
    const send = target.send;
    target.send = async function (command, ...rest) {
      const { name } = command.constructor;
      const isDynamo = this instanceof DynamoDBDocumentClient;
      if (isDynamo) {
        command.input.ReturnConsumedCapacity = "TOTAL";
      }
      current.count += 1;
      current.s3Puts += S3_PUTS.has(name) ? 1 : 0;
      current.s3Gets += name === "GetObjectCommand" || name === "HeadObjectCommand" ? 1 : 0;
      current.messages += name === "SendMessageCommand" ? 1 : 0;
      const answer = await send.call(this, command, ...rest);
      if (isDynamo) {
        const { ConsumedCapacity = [] } = answer as { ConsumedCapacity?: Capacity | Capacity[] };
        for (const { CapacityUnits = 0, TableName = "" } of [ConsumedCapacity].flat()) {
          current[WRITES.has(name) ? "writeUnits" : "readUnits"] += CapacityUnits;
          current.countUnits += WRITES.has(name) && TableName.endsWith("quotas") ? CapacityUnits : 0;
        }
      }
      return answer;
    };
  }
};

/** @returns the mean usage of each step over 60 conversions of a small image */
export const measureCalls = async (picture: string): Promise<Readonly<Record<StepId, Calls>>> => {
  const emulators = await startEmulators();
  Object.assign(process.env, emulators.environment, { POWERTOOLS_LOG_LEVEL: "ERROR" });
  try {
    watch();
    return await runs(picture);
  } finally {
    await emulators.stop();
  }
};

const runs = async (picture: string): Promise<Readonly<Record<StepId, Calls>>> => {
  // Imported late: the composition reads the environment once.
  const conversion = await conversionOf(picture);
  const sums = new Map<StepId, Count>();
  for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
    const used = await conversion();
    for (const [step, calls] of run < WARM_UPS ? [] : used) {
      const sum = sums.get(step) ?? nothing();
      for (const name of Object.keys(sum) as (keyof Count)[]) {
        sum[name] += calls[name] / RUNS;
      }
      sums.set(step, sum);
    }
  }
  return Object.fromEntries(steps.map((step) => [step, sums.get(step) ?? nothing()])) as Record<StepId, Calls>;
};

/** @returns a function that runs one conversion like a deployment and returns the usage of each step */
const conversionOf = async (picture: string): Promise<() => Promise<Map<StepId, Count>>> => {
  const { context } = await import("../../functions/context.ts");
  const { issueKey, openAccount } = await import("../../functions/domain/accounts/account.ts");
  const { convertFile } = await import("../../functions/events/convert-file.ts");
  const { announceEnd } = await import("../../functions/events/announce-end.ts");
  const { router } = await import("../../local/http/router.ts");
  const world = context();
  const account = await openAccount(world, { email: "bench@example.com", plan: "enterprise", quota: 1e9 });
  const { key } = await issueKey(world, { accountId: account?.id ?? "", name: "bench" });
  const serve = router();
  const body = formOf(basename(picture), await readFile(picture));
  // The engine is measured separately: here the file is not converted.
  const convert = convertFile(world, async ({ input }) => ({
    output: input,
    bundled: false,
    timings: [],
    warnings: [],
  }));
  const announce = announceEnd(world);

  const call = async (
    method: string,
    path: string,
    request: { body?: string; type?: string; binary?: boolean } = {},
  ) => {
    const { params, handler } = serve(method, path);
    const event = {
      rawPath: path,
      headers: { authorization: `Bearer ${key}`, "content-type": request.type, accept: "application/json" },
      pathParameters: params,
      queryStringParameters: {},
      requestContext: {
        requestId: randomBytes(8).toString("hex"),
        domainName: "localhost",
        http: { method, path, sourceIp: "192.0.2.1" },
      },
      body: request.body,
      isBase64Encoded: request.binary ?? false,
    } as unknown as ApiEvent;
    const answer = await handler(event, {} as never);
    if ((answer.statusCode ?? 500) >= 400) {
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answer.body}`);
    }
    return JSON.parse(answer.body ?? "{}");
  };

  return async () => {
    const used = new Map<StepId, Count>();
    const step = async <T>(name: StepId, work: () => Promise<T>): Promise<T> => {
      current = nothing();
      const before = process.cpuUsage();
      const result = await work();
      const { user, system } = process.cpuUsage(before);
      used.set(name, { ...current, cpuMs: (user + system) / 1_000 });
      return result;
    };
    const form = { body, type: "multipart/form-data; boundary=x", binary: true };
    const { upload_id } = await step("createUpload", () => call("POST", "/api/v1/upload", form));
    const request = { body: JSON.stringify({ upload_id, target_format: "jpg" }), type: "application/json" };
    const { id } = await step("createJob", () => call("POST", "/api/v1/convert", request));
    await step("convertFile", () => convert({ jobId: id, accountId: account?.id ?? "" }));
    await step("announceEnd", () => announce(id));
    const { result } = await step("getJob", () => call("GET", `/api/v1/convert/${id}/status`));
    await step("downloadResult", () => call("GET", `/api/v1/download/${result.download_token}`));
    return used;
  };
};

const formOf = (name: string, content: Buffer): string =>
  Buffer.concat([
    Buffer.from(`--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from("\r\n--x--\r\n"),
  ]).toString("base64");
