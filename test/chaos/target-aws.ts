import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import { startEmulators } from "../support/emulators/emulators.ts";
import type { Random } from "../support/random.ts";
import { accountsCommand } from "../support/services/local-service.ts";
import { preyOf, signal, startedBy } from "./processes.ts";
import { startProxy, type Trouble, type TroubledProxy } from "./proxy.ts";
import { compiledIn, type Mortal, mortal } from "./service.ts";
import type { ChaosTarget, Fault } from "./target.ts";
import { clockJumps } from "./target-local.ts";

/** Milliseconds within which the sweepers of `aws-service.ts` run. */
const SWEEP_MS = 4_000;

/** Visibility timeout in seconds: so short that a message is redelivered during its processing. */
const VISIBILITY_SECONDS = 20;

/**
 * The Lambda handlers on emulators of DynamoDB, S3 and SQS, with a proxy for each that loses, delays and duplicates.
 */
export const awsChaos = async (folder: string, random: Random): Promise<ChaosTarget> => {
  const emulators = await startEmulators({ visibilitySeconds: VISIBILITY_SECONDS });
  const direct = emulators.environment;
  const [dynamo, files] = [direct.AWS_ENDPOINT_URL_DYNAMODB ?? "", direct.AWS_ENDPOINT_URL_S3 ?? ""];
  const proxies = [await startProxy(dynamo, random), await startProxy(files, random)] as const;
  const through = (text: string): string => text.replace(dynamo, proxies[0].url).replace(files, proxies[1].url);
  const service = mortal({
    args: [join(import.meta.dirname, "aws-service.ts")],
    env: {
      ...Object.fromEntries(Object.entries(direct).map(([name, value]) => [name, through(value)])),
      CHAOS_DYNAMO: dynamo,
      ANYFORM_ALLOW_ADDRESSES: "127.0.0.1",
      POWERTOOLS_LOG_LEVEL: "WARN",
      QUEUE_WAIT_SECONDS: "1",
    },
    folder,
  });
  await service.revive();
  return {
    name: "aws",
    url: service.url,
    accounts: <Result>(args: string[]) =>
      accountsCommand<Result>([...args, "--target", "aws"], { ...direct, ...compiledIn(folder) }),
    faults: [...processFaults(service), ...cloudFaults(proxies), clockJumps(service, false)],
    impossible: [],
    // It runs every three seconds, in the functions.
    sweep: () => pause(SWEEP_MS),
    setClock: service.setClock,
    calm: service.revive,
    orphans: () => unknownObjects(direct),
    stop: async () => {
      await service.stop();
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await emulators.stop();
    },
  };
};

const between = (random: Random, least: number, most: number): number => least + random.below(most - least);

const processFaults = (service: Mortal): Fault[] => [
  { name: "functions: kill -9", weight: 2, strike: (random) => service.kill(random.below(500)) },
  { name: "functions: frozen", weight: 2, strike: (random) => service.freeze(between(random, 300, 3_000)) },
  {
    name: "converter or engine: kill -9",
    weight: 3,
    strike: async (random) => {
      const started = await preyOf(() => startedBy(service.pid()));
      return started.length > 0 && signal(random.pick(started).pid, "SIGKILL");
    },
  },
];

/** Each for some seconds, either on tables or on files and queues. */
const cloudFaults = ([dynamo, files]: readonly [TroubledProxy, TroubledProxy]): Fault[] => {
  const storm = (name: string, weight: number, troubles: readonly [TroubledProxy, Trouble, number][]): Fault => ({
    name,
    weight,
    strike: async (random) => {
      const before = count(troubles);
      for (const [proxy, kind, share] of troubles) {
        proxy.trouble(kind, share);
      }
      await pause(between(random, 500, 3_000));
      for (const [proxy, kind] of troubles) {
        proxy.trouble(kind, 0);
      }
      return count(troubles) > before;
    },
  });
  return [
    storm("DynamoDB: 500", 2, [[dynamo, "error", 0.3]]),
    storm("DynamoDB: throttled", 2, [[dynamo, "throttled", 0.5]]),
    storm("DynamoDB: done, acknowledgement lost", 4, [[dynamo, "cut after", 0.3]]),
    storm("DynamoDB: all acknowledgements lost", 1, [[dynamo, "cut after", 1]]),
    storm("DynamoDB: connection lost", 1, [[dynamo, "cut before", 0.4]]),
    storm("DynamoDB: late", 1, [[dynamo, "late", 0.5]]),
    storm("S3 and SQS: 500", 2, [[files, "error", 0.3]]),
    storm("S3: SlowDown, SQS: throttled", 2, [[files, "throttled", 0.5]]),
    storm("S3 and SQS: done, acknowledgement lost", 3, [[files, "cut after", 0.3]]),
    storm("S3 and SQS: gone", 1, [[files, "cut before", 1]]),
    storm("SQS: messages twice", 3, [[files, "twice", 1]]),
    storm("SQS: messages reordered", 2, [[files, "later", 0.7]]),
  ];
};

const count = (troubles: readonly [TroubledProxy, Trouble, number][]): number =>
  troubles.reduce((sum, [proxy, kind]) => sum + (proxy.troubled.get(kind) ?? 0), 0);

/** @returns the objects without a record; the bucket's lifecycle deletes uploads and results after two days */
const unknownObjects = async (environment: Readonly<Record<string, string>>): Promise<string[]> => {
  const credentials = {
    accessKeyId: environment.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? "",
  };
  const account = { region: environment.AWS_REGION ?? "", credentials };
  const s3 = new S3Client({ ...account, endpoint: environment.AWS_ENDPOINT_URL_S3 ?? "", forcePathStyle: true });
  const dynamo = new DynamoDBClient({ ...account, endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB ?? "" });
  const unknown: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: environment.ANYFORM_FILES_BUCKET },
  )) {
    for (const { Key = "" } of Contents) {
      const [kind, id = ""] = Key.split("/");
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: environment.ANYFORM_JOBS_TABLE, Key: { pk: { S: id } } }),
      );
      if (Item === undefined || (kind !== "uploads" && Item.result?.M?.key?.S !== Key)) {
        unknown.push(Key);
      }
    }
  }
  return unknown;
};
