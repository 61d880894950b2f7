import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bufferedEngineDays } from "../functions/adapters/engine-days.ts";
import { stripeBilling } from "../functions/adapters/stripe/billing.ts";
import type { MailSender } from "../functions/domain/accounts/account-ports.ts";
import type { EngineId } from "../functions/domain/conversions/engines.ts";
import { planRoutes } from "../functions/domain/conversions/plan.ts";
import { sealer } from "../functions/domain/exports/sealer.ts";
import { GATEWAY_UPLOAD_BYTES_MAX, JOB_ATTEMPTS_MAX } from "../functions/domain/limits.ts";
import type { Context } from "../functions/domain/ports.ts";
import { advancePipeline } from "../functions/events/advance-pipeline.ts";
import { asError, logger } from "../functions/logger.ts";
import { identityProvider } from "../functions/outbound/identity-provider.ts";
import { storageTester } from "../functions/outbound/storage-tester.ts";
import { webhookTester } from "../functions/outbound/webhook-sender.ts";
import { localOperating } from "./accounts/local-operating.ts";
import { outbox } from "./accounts/outbox.ts";
import { smtpMail } from "./accounts/smtp-mail.ts";
import { converterEntry, scratchFolderIn } from "./engines/converter-files.ts";
import { installedEngines } from "./engines/installed.ts";
import { type FolderFiles, folderFiles } from "./files/folder-files.ts";
import { syncFolderNow, writeSecretFile } from "./files/folder-sync.ts";
import { pendingSyncs } from "./files/pending-syncs.ts";
import { randomPool } from "./memory/random-pool.ts";
import { bufferedRequestLog, type LocalRequestLog } from "./memory/request-log.ts";
import { type LocalStreams, memoryStreams } from "./memory/streams.ts";
import { ownState, type SharedState } from "./processes/shared-state.ts";
import { type LocalAdmission, localAdmission } from "./queue/admission.ts";
import { directConversions, type LocalDirect } from "./queue/direct-conversions.ts";
import { prepareDataDir, readSettings, type Settings } from "./settings.ts";
import { sqliteAccounts } from "./sqlite/accounts.ts";
import { sqliteAllowances } from "./sqlite/allowances.ts";
import { type Database, openDatabase } from "./sqlite/database.ts";
import { sqliteEngineDays } from "./sqlite/engine-days.ts";
import { type LocalJobs, sqliteJobs } from "./sqlite/jobs.ts";
import { sqliteKeyUses } from "./sqlite/key-uses.ts";
import { sqlitePipelines, sqlitePresets } from "./sqlite/pipelines.ts";
import { type LocalQueue, sqliteQueue } from "./sqlite/queue.ts";
import { sqliteQuotas } from "./sqlite/quotas.ts";
import { sqliteRequests } from "./sqlite/requests.ts";
import { fileReservations, type Reservations } from "./sqlite/reservations.ts";
import { sqliteSessions } from "./sqlite/sessions.ts";
import { sqliteStorages } from "./sqlite/storages.ts";
import { type LocalUploads, sqliteUploads } from "./sqlite/uploads.ts";
import { type LocalWebhooks, sqliteWebhooks } from "./sqlite/webhooks.ts";

/** The context of one machine: a database and folders in `DATA_DIR`. */
export interface LocalContext extends Context {
  readonly database: Database;
  readonly files: FolderFiles;
  readonly jobs: LocalJobs;
  readonly uploads: LocalUploads;
  readonly webhooks: LocalWebhooks;
  readonly queue: LocalQueue;
  readonly direct: LocalDirect;
  readonly tasks: SharedState["tasks"];
  readonly admission: LocalAdmission;
  readonly streams: LocalStreams;
  readonly metrics: SharedState["metrics"];
  readonly requestLog: LocalRequestLog;
  readonly reservations: Reservations;
  readonly dataDir: string;
}

let composed: LocalContext | undefined;

/**
 * @param withheld engines that are installed and must not be used. @default none
 * @param state what all processes of the service share. @default there is one process
 * @returns the context of this machine, created on first use
 */
export const context = (withheld: readonly EngineId[] = [], state?: SharedState): LocalContext => {
  composed ??= composeContext(readSettings(), installedRoutes(withheld), state);
  return composed;
};

/** One more than the attempts of a job: the last delivery detects that they are used up. */
const RECEIVES_MAX = JOB_ATTEMPTS_MAX + 1;

/** Milliseconds that a transaction waits for that of another process of the service, which takes a millisecond. */
const BLOCKED_MS_MAX = 100;

/** Eight uploads and their results. */
const FILES_IN_ADVANCE = 16;

/** The version of this release. */
const VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")).version;

/** The engines of this machine, and the conversions that they make possible. */
export type InstalledRoutes = Pick<LocalContext, "engines" | "routes">;

/** @param withheld engines that are installed and must not be used */
export const installedRoutes = (withheld: readonly EngineId[]): InstalledRoutes => {
  const engines = new Map([...installedEngines()].filter(([id]) => !withheld.includes(id)));
  return { engines, routes: planRoutes(new Set(engines.keys())) };
};

/** @returns a context with its own stores, in the data directory of the settings */
export const composeContext = (
  settings: Settings,
  { engines, routes: planned }: InstalledRoutes,
  state = ownState(),
): LocalContext => {
  prepareDataDir(settings);
  const { dataDir, publicUrl } = settings;
  const { notifications, metrics } = state;
  const isAlone = settings.apiProcesses === 1;
  const pending = pendingSyncs((error) => logger.error("a result was not synced", { error: asError(error) }));
  const database = openDatabase(dataDir, { filesOnDisk: pending.ended, blockedMsMax: isAlone ? 0 : BLOCKED_MS_MAX });
  const scratchFolder = scratchFolderIn(dataDir, state.processName);
  mkdirSync(scratchFolder, { recursive: true, mode: 0o700 });
  const queue = sqliteQueue(database, { receivesMax: RECEIVES_MAX });
  const admission = localAdmission({
    queue,
    waitingMax: settings.waitingJobsMax,
    folder: dataDir,
    clock: Date.now,
  });
  const filesFolder = join(dataDir, "files");
  /** If the process ends first, the next start continues it. */
  const continuePipeline = (id: string | undefined): void => {
    if (id !== undefined) {
      advancePipeline(context)(id).catch((error: unknown) =>
        logger.error("pipeline was not continued", { pipeline_id: id, error: asError(error) }),
      );
    }
  };
  const requestLog = bufferedRequestLog({
    store: sqliteRequests(database),
    metrics,
    flushOthers: state.requestLogs.flushOthers,
    onError: requestsLost,
  });
  state.requestLogs.onFlush(requestLog.flush);
  const jobs = sqliteJobs(database, notifications.notify, ({ pipelineId }) => continuePipeline(pipelineId));
  const context: LocalContext = {
    accounts: sqliteAccounts(database),
    keyUses: sqliteKeyUses(database),
    sessions: sqliteSessions(database),
    allowances: sqliteAllowances(database),
    quotas: sqliteQuotas(database),
    uploads: sqliteUploads(database, notifications.notify),
    webhooks: sqliteWebhooks(database),
    storages: sqliteStorages(database),
    tryStorage: storageTester({ importAllowed: settings.importAllowed, clock: Date.now, random: randomBytes }),
    tryWebhook: webhookTester(settings.importAllowed),
    sealer: sealer(secretIn(dataDir, "storage-secret"), randomBytes),
    bursts: state.bursts,
    holds: state.holds,
    slots: state.slots,
    tasks: state.tasks,
    notifications,
    metrics,
    importAllowed: settings.importAllowed,
    jobs,
    pipelines: sqlitePipelines(database),
    presets: sqlitePresets(database),
    files: folderFiles({
      folder: filesFolder,
      // URLs are relative, so they work with any host and port that the client uses.
      baseUrl: () => "",
      secret: secretIn(dataDir, "url-secret"),
      clock: Date.now,
      room: admission.file,
      pending,
      hasOthers: state.hasOthers,
      ...(state.processName !== undefined && { processName: state.processName }),
      filesInAdvance: FILES_IN_ADVANCE,
      onLateError: (error) => logger.error("a result was not written", { error: asError(error) }),
      metrics,
    }),
    queue,
    direct: directConversions(() => context),
    admission,
    streams: memoryStreams(),
    engineDays: bufferedEngineDays({ store: sqliteEngineDays(database), clock: Date.now, onError: countsLost }),
    reservations: fileReservations(dataDir, database, { isRecorded: jobs.isRecorded }),
    requestLog,
    routes: planned,
    engines,
    uploadBytesMax: GATEWAY_UPLOAD_BYTES_MAX,
    scratchFolder,
    converterEntry,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(settings.stripe !== undefined && { billing: stripeBilling(settings.stripe, Date.now) }),
    mail: settings.smtp === undefined ? terminalMail(dataDir) : smtpMail(settings.smtp),
    operating: localOperating({ settings, database, clock: Date.now, version: VERSION }),
    ...(settings.identity !== undefined && {
      identity: identityProvider(settings.identity, { importAllowed: settings.importAllowed, clock: Date.now }),
    }),
    signInCodes: settings.signInCodes,
    visitors: settings.visitors,
    trustedProxies: settings.trustedProxies,
    clock: Date.now,
    random: randomPool(),
    database,
    dataDir,
  };
  for (const folder of [dirname(dataDir), dataDir, filesFolder]) {
    syncFolderNow(folder);
  }
  return context;
};

const countsLost = (error: unknown): void => logger.warn("status counts were not stored", { error: asError(error) });

const requestsLost = (error: unknown): void => logger.warn("requests were not logged", { error: asError(error) });

const terminalMail = (dataDir: string): MailSender =>
  outbox({ folder: join(dataDir, "outbox"), show: console.log, clock: Date.now, random: randomBytes });

/** @returns the secret in the file, created at the first start */
const secretIn = (dataDir: string, name: "storage-secret" | "url-secret"): Buffer => {
  const path = join(dataDir, name);
  try {
    writeSecretFile(path, randomBytes(32));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw error;
    }
  }
  return readFileSync(path);
};
