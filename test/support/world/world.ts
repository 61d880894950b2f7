import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Mail } from "../../../functions/domain/accounts/account-ports.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { sealer } from "../../../functions/domain/exports/sealer.ts";
import { LOCAL_WAITS_PER_ACCOUNT_MAX } from "../../../functions/domain/limits.ts";
import { type Measurement, noMetrics } from "../../../functions/domain/metrics.ts";
import type { Context, JobMessage } from "../../../functions/domain/ports.ts";
import { storageTester } from "../../../functions/outbound/storage-tester.ts";
import { webhookTester } from "../../../functions/outbound/webhook-sender.ts";
import type { LocalContext } from "../../../local/context.ts";
import { folderFiles } from "../../../local/files/folder-files.ts";
import { memoryBursts } from "../../../local/memory/bursts.ts";
import { memoryHolds } from "../../../local/memory/holds.ts";
import { jobNotifications } from "../../../local/memory/job-notifications.ts";
import { bufferedRequestLog } from "../../../local/memory/request-log.ts";
import { memorySlots } from "../../../local/memory/slots.ts";
import { memoryStreams } from "../../../local/memory/streams.ts";
import { sqliteAccounts } from "../../../local/sqlite/accounts.ts";
import { sqliteAllowances } from "../../../local/sqlite/allowances.ts";
import { openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteKeyUses } from "../../../local/sqlite/key-uses.ts";
import { sqlitePipelines, sqlitePresets } from "../../../local/sqlite/pipelines.ts";
import { sqliteQueue } from "../../../local/sqlite/queue.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { sqliteRequests } from "../../../local/sqlite/requests.ts";
import { fileReservations } from "../../../local/sqlite/reservations.ts";
import { sqliteSessions } from "../../../local/sqlite/sessions.ts";
import { sqliteStorages } from "../../../local/sqlite/storages.ts";
import { sqliteUploads } from "../../../local/sqlite/uploads.ts";
import { sqliteWebhooks } from "../../../local/sqlite/webhooks.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A context on real stores in a folder of the test; only the clock is simulated. */
export interface World {
  readonly context: Context & Pick<LocalContext, "files" | "jobs" | "reservations">;
  readonly folder: string;
  /** Milliseconds since 1970; set it to let time pass. */
  now: number;
  /** The queue messages sent so far. */
  readonly sent: JobMessage[];
  /** The emails sent so far. */
  readonly mails: Mail[];
  /** The IDs of uploads and webhook messages that were queued for a worker so far. */
  readonly asked: string[];
  /** The measurements so far. */
  readonly measured: Measurement[];
  /** Responds to the signed URLs of the file store. */
  serveFiles(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

export const makeWorld = (start: number): World => {
  const folder = temporaryFolder();
  const database = openDatabase(folder.path);
  const queue = sqliteQueue(database, { receivesMax: 4 });
  const sent: JobMessage[] = [];
  const asked: string[] = [];
  const mails: Mail[] = [];
  const measured: Measurement[] = [];
  const stored = folderFiles({
    folder: join(folder.path, "files"),
    baseUrl: () => "",
    secret: randomBytes(32),
    clock: () => world.now,
  });
  const clock = () => world.now;
  const notifications = jobNotifications();
  const jobs = sqliteJobs(database, notifications.notify);
  const reservations = fileReservations(folder.path, database, { isRecorded: jobs.isRecorded });
  const requestLog = bufferedRequestLog({
    store: sqliteRequests(database),
    metrics: noMetrics,
    onError: (error) => {
      throw error;
    },
  });
  const world: World = {
    folder: folder.path,
    now: start,
    sent,
    asked,
    mails,
    measured,
    context: {
      mail: { send: async (mail) => void mails.push(mail) },
      visitors: true,
      accounts: sqliteAccounts(database),
      keyUses: sqliteKeyUses(database),
      sessions: sqliteSessions(database),
      allowances: sqliteAllowances(database),
      quotas: sqliteQuotas(database),
      uploads: sqliteUploads(database, notifications.notify),
      webhooks: sqliteWebhooks(database),
      storages: sqliteStorages(database),
      tryStorage: storageTester({ importAllowed: ["127.0.0.1"], clock, random: randomBytes }),
      tryWebhook: webhookTester(["127.0.0.1"]),
      sealer: sealer(randomBytes(32), randomBytes),
      bursts: memoryBursts(),
      holds: memoryHolds(),
      slots: memorySlots({ wait: LOCAL_WAITS_PER_ACCOUNT_MAX }),
      tasks: {
        importUpload: async ({ id }) => void asked.push(id),
        checkUpload: async ({ id }) => void asked.push(id),
        deliver: async ({ id }) => void asked.push(id),
        export: async ({ id }) => void asked.push(id),
        erase: async (id) => void asked.push(id),
        redeliver: async () => {},
      },
      jobs,
      reservations,
      pipelines: sqlitePipelines(database),
      presets: sqlitePresets(database),
      files: stored,
      queue: {
        send: async (lane, message) => {
          sent.push(message);
          await queue.send(lane, message);
        },
      },
      notifications,
      streams: memoryStreams(),
      requestLog,
      metrics: { record: (measurements) => void measured.push(...measurements) },
      routes: planRoutes(new Set(["sharp", "magick"])),
      engines: new Map(),
      uploadBytesMax: 1e9,
      scratchFolder: folder.path,
      converterEntry: "",
      clock,
      random: randomBytes,
    },
    serveFiles: stored.serveSigned,
    close: async () => {
      await requestLog.flush();
      reservations.close();
      database.close();
      await folder.remove();
    },
  };
  return world;
};
