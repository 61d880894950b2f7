import { join } from "node:path";
import { isExportId } from "../functions/domain/exports/job-export.ts";
import { messageOf } from "../functions/domain/jobs/job-lane.ts";
import { returnMemoryWhenIdle } from "../functions/engines/core/idle-memory.ts";
import { advancePipeline } from "../functions/events/advance-pipeline.ts";
import { deliverExport } from "../functions/events/deliver-export.ts";
import { deliverWebhook } from "../functions/events/deliver-webhook.ts";
import { failUpload } from "../functions/events/fail-upload.ts";
import { importUpload } from "../functions/events/import-upload.ts";
import { sweepJobs } from "../functions/events/sweep-jobs.ts";
import { logger } from "../functions/logger.ts";
import { firstKey } from "./accounts/first-key.ts";
import { ownerLink } from "./accounts/owner-link.ts";
import { type LocalContext, context as localContext } from "./context.ts";
import type { ConverterFiles } from "./engines/converter-files.ts";
import { missingPrograms } from "./engines/installed.ts";
import type { Sandbox } from "./engines/isolation.ts";
import { startConverters } from "./engines/start-converters.ts";
import { withheldEngines } from "./engines/withheld-engines.ts";
import type { FolderLock } from "./files/folder-lock.ts";
import { listen, unusedPort } from "./http/listen.ts";
import { combinedGauges } from "./metrics/combined-gauges.ts";
import { countedConversions, processGauges, storeGauges } from "./metrics/gauges.ts";
import { furtherProcesses } from "./processes/further-processes.ts";
import { ownState } from "./processes/shared-state.ts";
import { startWork } from "./queue/start-work.ts";
import { worker } from "./queue/worker.ts";
import { preparationOf, prepare } from "./rehearsal/prepare.ts";
import { expireDamagedResults } from "./retention/damaged-results.ts";
import { tidying } from "./retention/tidy.ts";
import { onError, serviceGateway } from "./service-gateway.ts";
import { servicePages } from "./service-pages.ts";
import { curlSession } from "./session.ts";
import type { Settings } from "./settings.ts";
import { shutDown } from "./shut-down.ts";
import { stopOnSignals } from "./stop-signals.ts";

/** The first process of the one-machine service: gateway, queue and timers. Converters are child processes. */

const SWEEP_MS = 30_000;
const TIDY_MS = 10 * 60_000;
/** Maximum number of unfinished jobs that are recovered at startup; more than a queue of one machine ever contains. */
const RECOVERED_JOBS_MAX = 1_000_000;
/** The exit code of shells for a program that SIGINT has ended. */
const INTERRUPTED = 130;

/** What the service needs from the start of its process. */
export interface Started {
  readonly settings: Settings;
  /** Of the data directory. */
  readonly lock: FolderLock;
  readonly sandbox: Sandbox;
  readonly files: ConverterFiles;
}

/** Runs the service until a signal stops it. @returns when it accepts requests */
export const runService = async ({ settings, lock, sandbox, files }: Started): Promise<void> => {
  // The first converter starts in its own process, while this one opens the database.
  const converters = startConverters(settings, { ...files, enclosure: sandbox.enclosure });
  const { pool, warm, slots, furtherSlots } = converters;
  const state = ownState();
  const context = localContext(withheldEngines(settings, sandbox), state);
  const pages = await servicePages(settings);
  const { server, forms } = await serviceGateway(context, settings, pages);
  const isShared = settings.apiProcesses > 1;
  const port = await listen(server, { ...settings, isShared, ...(isShared && { port: await unusedPort(settings) }) });
  const url = urlOf(settings.host, port);
  await recover(context);
  const further = furtherProcesses({ ...context, count: settings.apiProcesses - 1, port, state, onError });
  const conversions = countedConversions(warm);
  const own = [processGauges(context.clock()), conversions.gauges, server.gauges];
  context.metrics.onRead(storeGauges(context));
  context.metrics.onRead(async () =>
    combinedGauges([...(await Promise.all(own.map((read) => read()))), ...further.gauges()]),
  );
  const work = startWork(context, { conversions, slots, furtherSlots, onError });
  const [exportResult, sendMessage] = [deliverExport(context), deliverWebhook(context)];
  const tasks = worker(context, {
    importUpload: importUpload(context),
    failUpload: failUpload(context),
    deliver: (id) => (isExportId(id) ? exportResult(id) : sendMessage(id)),
    onError,
  });
  work.wake();
  returnMemoryWhenIdle();
  const stopping = new AbortController();
  const prepared = prepare(preparationOf({ settings, context, converters, server, onError, signal: stopping.signal }));
  // Messages are only lost in a power failure, so a job that stays queued does not need a second message.
  const sweep = sweepJobs({ ...context, queue: { send: context.queue.resend } });
  const timers = [every(SWEEP_MS, sweep), every(TIDY_MS, tidying(context))];
  stopOnSignals(process, {
    stop: async () => {
      stopping.abort();
      await prepared;
      await shutDown({ server, forms, draining: [work.drain, tasks.drain], further, pool, context, lock, timers });
    },
    // As after a power failure: the next start resumes the work.
    stopAtOnce: () => process.exit(INTERRUPTED),
    print: console.log,
  });
  const keyPath = await firstKey(context);
  if (pages !== undefined) {
    console.log(
      welcome(settings, {
        url: settings.publicUrl ?? browserUrl(url),
        owner: await ownerLink(context, browserUrl(url)),
      }),
    );
  }
  console.log(`Anyform listens on ${url}\nData directory: ${settings.dataDir}\n`);
  console.log(curlSession({ url, keyPath, shell: settings.shell }));
  console.log(sandbox.summary);
  const missing = missingPrograms();
  if (missing.length > 0) {
    console.log(
      `Not installed: ${missing.join(", ")}. Run \`npm run engines\` to install them; until then, their formats are unavailable.`,
    );
  }
};

/** Browsers support passkeys for host names only, and treat `localhost` as a secure context. */
const browserUrl = (url: string): string =>
  url.replace("//127.0.0.1:", "//localhost:").replace("//[::1]:", "//localhost:");

interface Links {
  readonly url: string;
  /** Signs the owner in. */
  readonly owner: string | undefined;
}

const welcome = ({ smtp, dataDir }: Settings, { url, owner }: Links): string => {
  const code = smtp === undefined ? `is printed here and saved in ${join(dataDir, "outbox")}` : "is sent by email";
  const own =
    owner === undefined ? "" : `To sign in as the owner of this machine, open this link. It works once:\n  ${owner}\n`;
  return `Open ${new URL("/", url)} in a browser. Sign in with your email address: the code ${code}.\n${own}`;
};

/** @returns the URL of the service */
const urlOf = (host: string, port: number): string => {
  // A wildcard address: browsers and curl need a specific one.
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
};

/** Recovers from an earlier run: its converters are gone, so their jobs return to the queue. */
const recover = async (context: LocalContext): Promise<void> => {
  const { files, jobs, queue, clock } = context;
  await files.clearTemporary();
  const unfinished = await jobs.overdue(Number.MAX_SAFE_INTEGER, RECOVERED_JOBS_MAX);
  for (const job of unfinished) {
    await jobs.release(job.id, job.attempt, clock());
  }
  queue.reviveAll();
  for (const job of unfinished.filter(({ waits }) => waits !== true)) {
    // The service may have been interrupted between the change of the job and its message.
    await queue.resend(job.lane, messageOf(job));
  }
  for (const id of new Set(unfinished.flatMap(({ pipelineId = [] }) => pipelineId))) {
    await advancePipeline(context)(id);
  }
  const counted = await context.reservations.recover();
  if (counted > 0) {
    logger.warn("conversions were counted whose records a power failure lost", { conversions: counted });
  }
  const damaged = await expireDamagedResults(context);
  if (damaged > 0) {
    logger.warn("results were lost when the service was interrupted", { results: damaged });
  }
};

const every = (milliseconds: number, task: () => Promise<unknown>): NodeJS.Timeout => {
  let running = false;
  return setInterval(() => {
    if (running) {
      return;
    }
    running = true;
    task()
      .catch(onError)
      .finally(() => {
        running = false;
      });
  }, milliseconds);
};
