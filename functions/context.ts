import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamoClient, s3Client, s3Signer, sqsClient } from "./adapters/clients.ts";
import { dynamoAccounts } from "./adapters/dynamo/accounts.ts";
import { dynamoAllowances } from "./adapters/dynamo/allowances.ts";
import { dynamoBursts } from "./adapters/dynamo/bursts.ts";
import { dynamoEngineDays } from "./adapters/dynamo/engine-days.ts";
import { dynamoHolds } from "./adapters/dynamo/holds.ts";
import { dynamoJobs } from "./adapters/dynamo/jobs/jobs.ts";
import { dynamoKeyUses } from "./adapters/dynamo/key-uses.ts";
import { dynamoPipelines } from "./adapters/dynamo/pipelines.ts";
import { dynamoPresets } from "./adapters/dynamo/presets.ts";
import { dynamoQuotas } from "./adapters/dynamo/quotas/quotas.ts";
import { dynamoRequests } from "./adapters/dynamo/requests.ts";
import { dynamoSessions } from "./adapters/dynamo/sessions.ts";
import { dynamoSlots } from "./adapters/dynamo/slots.ts";
import { dynamoStorages } from "./adapters/dynamo/storages.ts";
import { dynamoUploads } from "./adapters/dynamo/uploads.ts";
import { dynamoWebhooks } from "./adapters/dynamo/webhooks.ts";
import { jitteredPause } from "./adapters/dynamo/writes.ts";
import { emfMetrics } from "./adapters/emf-metrics.ts";
import { bufferedEngineDays } from "./adapters/engine-days.ts";
import { lambdaClient, lambdaPageMachines } from "./adapters/lambda/page-machines.ts";
import { pollingNotifications } from "./adapters/polling-notifications.ts";
import { s3Files } from "./adapters/s3/files.ts";
import { sesClient, sesMail } from "./adapters/ses/mail.ts";
import { sqsDeadLetters } from "./adapters/sqs/dead-letters.ts";
import { sqsLaneLoads } from "./adapters/sqs/lane-loads.ts";
import { sqsQueue } from "./adapters/sqs/queue.ts";
import { sqsTasks } from "./adapters/sqs/tasks.ts";
import { storedRequestLog } from "./adapters/stored-request-log.ts";
import { stripeBilling } from "./adapters/stripe/billing.ts";
import { type Config, readConfig } from "./config.ts";
import { engineIds, isDeployable } from "./domain/conversions/engines.ts";
import { planRoutes, type RouteTable } from "./domain/conversions/plan.ts";
import { sealer } from "./domain/exports/sealer.ts";
import { isFilm } from "./domain/jobs/job-lane.ts";
import { LAMBDA_UPLOAD_BYTES_MAX } from "./domain/limits.ts";
import { type Metrics, noMetrics } from "./domain/metrics.ts";
import { type Operating, operatorsIn } from "./domain/operators/operating.ts";
import type { Context, JobQueue } from "./domain/ports.ts";
import { asError, logger } from "./logger.ts";
import { identityProvider } from "./outbound/identity-provider.ts";
import { storageTester } from "./outbound/storage-tester.ts";
import { webhookTester } from "./outbound/webhook-sender.ts";

let composed: Context | undefined;

/** @returns the context on AWS, created on first use */
export const context = (): Context => {
  composed ??= compose(readConfig());
  return composed;
};

const compose = (config: Config): Context => {
  // A deployment has the engines of all its lanes, in the bundled versions.
  const engines = new Set(engineIds.filter((engine) => isDeployable(engine, config.lanes)));
  let routes: RouteTable | undefined;
  const dynamo = {
    client: dynamoClient(),
    tables: { jobs: config.jobsTable, keys: config.keysTable, quotas: config.quotasTable },
    pause: jitteredPause,
  };
  const sqs = sqsClient(config.queueEndpoint);
  const bucket = { client: s3Client(), signer: s3Signer(), name: config.filesBucket, clock: Date.now };
  return {
    accounts: dynamoAccounts(dynamo),
    keyUses: dynamoKeyUses(dynamo),
    sessions: dynamoSessions(dynamo),
    allowances: dynamoAllowances(dynamo),
    quotas: dynamoQuotas(dynamo),
    uploads: dynamoUploads(dynamo),
    jobs: dynamoJobs(dynamo),
    pipelines: dynamoPipelines(dynamo),
    presets: dynamoPresets(dynamo),
    files: s3Files(bucket),
    queue: jobQueue(sqs, config),
    tasks: sqsTasks(sqs, config.taskUrls),
    webhooks: dynamoWebhooks(dynamo),
    storages: dynamoStorages(dynamo),
    tryStorage: storageTester({ importAllowed: config.importAllowed, clock: Date.now, random: randomBytes }),
    tryWebhook: webhookTester(config.importAllowed),
    sealer: sealer(Buffer.from(config.storageSecret), randomBytes),
    bursts: dynamoBursts(dynamo),
    holds: dynamoHolds(dynamo),
    slots: dynamoSlots(dynamo, config.waits),
    notifications: pollingNotifications(),
    engineDays: bufferedEngineDays({ store: dynamoEngineDays(dynamo), clock: Date.now, onError: countsLost }),
    requestLog: storedRequestLog(dynamoRequests(dynamo), { mode: config.requestLog, onError: requestLost }),
    metrics: metricsOf(config),
    // Planning takes 10 ms of CPU time of a cold start. Functions without the permission `plans` do not contain it.
    get routes() {
      routes ??= planRoutes(engines, { lanes: config.lanes });
      return routes;
    },
    engines: new Map([...engines].map((engine) => [engine, "bundled"])),
    uploadBytesMax: LAMBDA_UPLOAD_BYTES_MAX,
    importAllowed: config.importAllowed,
    scratchFolder: tmpdir(),
    converterEntry: converterEntry(),
    ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    ...(config.stripe !== undefined && { billing: stripeBilling(config.stripe, Date.now) }),
    ...(config.mailFrom !== undefined && { mail: sesMail(sesClient(), config.mailFrom) }),
    ...(config.identity !== undefined && {
      identity: identityProvider(config.identity, { importAllowed: config.importAllowed, clock: Date.now }),
    }),
    ...(config.pageFunction !== "" && {
      pageMachines: lambdaPageMachines(lambdaClient(), config.pageFunction, bucket),
    }),
    signInCodes: config.signInCodes,
    visitors: config.visitors,
    operating: operatingOf(sqs, config),
    ...(config.edgeSecret !== undefined && { edgeSecret: config.edgeSecret }),
    clock: Date.now,
    random: randomBytes,
  };
};

/** The disk is S3, which has no limit. */
const operatingOf = (client: ReturnType<typeof sqsClient>, config: Config): Operating => {
  const { version = "", ...settings }: Readonly<Record<string, string>> = JSON.parse(config.deployment ?? "{}");
  return {
    operators: operatorsIn(config.operators),
    version,
    settings: new Map(Object.entries(settings)),
    lanes: () => sqsLaneLoads(client, config.queueUrls, config.lanes),
    deadLetters: () => sqsDeadLetters(client, config.deadLetterUrls),
    disk: async () => undefined,
  };
};

const countsLost = (error: unknown): void => logger.warn("status counts were not stored", { error: asError(error) });

const requestLost = (error: unknown): void => logger.warn("request was not logged", { error: asError(error) });

const jobQueue = (client: ReturnType<typeof sqsClient>, { queueUrls, films }: Config): JobQueue => {
  const usual = sqsQueue(client, queueUrls);
  if (films === undefined) {
    return usual;
  }
  const large = sqsQueue(client, { ...queueUrls, media: films.queueUrl });
  return { send: (lane, message) => (isFilm(lane, message, films.bytesMin) ? large : usual).send(lane, message) };
};

/** Bypasses the console, which Lambda wraps: a metric line must appear unchanged in the log. */
const metricsOf = ({ metricsNamespace: namespace }: Config): Metrics =>
  namespace === undefined
    ? noMetrics
    : emfMetrics({ namespace, write: (line) => void process.stdout.write(line), clock: Date.now });

/** The bundle of the converter function includes its second program; from source, it is the TypeScript file. */
const converterEntry = (): string =>
  join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "engines/core/converter.ts" : "converter.mjs");
