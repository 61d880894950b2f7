import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { type EngineId, engineIds, runScripts } from "../functions/domain/conversions/engines.ts";
import { isExportId } from "../functions/domain/exports/job-export.ts";
import { messageOf } from "../functions/domain/jobs/job-lane.ts";
import { returnMemoryWhenIdle } from "../functions/engines/core/idle-memory.ts";
import { advancePipeline } from "../functions/events/advance-pipeline.ts";
import { deliverExport } from "../functions/events/deliver-export.ts";
import { deliverWebhook } from "../functions/events/deliver-webhook.ts";
import { failUpload } from "../functions/events/fail-upload.ts";
import { importUpload } from "../functions/events/import-upload.ts";
import { sweepJobs } from "../functions/events/sweep-jobs.ts";
import { asError, logger } from "../functions/logger.ts";
import { firstKey } from "./accounts/first-key.ts";
import { ownerLink } from "./accounts/owner-link.ts";
import { type LocalContext, context as localContext } from "./context.ts";
import type { ConverterFiles } from "./engines/converter-files.ts";
import { missingPrograms } from "./engines/installed.ts";
import type { Sandbox } from "./engines/isolation.ts";
import { startConverters } from "./engines/start-converters.ts";
import type { FolderLock } from "./files/folder-lock.ts";
import type { GotenbergRoutes } from "./gotenberg/gotenberg.ts";
import { BUILT_PAGES, buildDashboard } from "./http/build-dashboard.ts";
import { type Dashboard, dashboard } from "./http/dashboard.ts";
import { gateway } from "./http/gateway.ts";
import { requestOrigin } from "./http/request-origin.ts";
import { countedConversions, processGauges, storeGauges } from "./metrics/gauges.ts";
import { metricsPage } from "./metrics/metrics-page.ts";
import { startWork } from "./queue/start-work.ts";
import { worker } from "./queue/worker.ts";
import { idleServer } from "./rehearsal/idle.ts";
import { prepare } from "./rehearsal/prepare.ts";
import { expireDamagedResults } from "./retention/damaged-results.ts";
import { tidying } from "./retention/tidy.ts";
import { curlSession } from "./session.ts";
import { type Settings, SettingsError } from "./settings.ts";
import { shutDown } from "./shut-down.ts";
import { stopOnSignals } from "./stop-signals.ts";

/** The one-machine service: gateway, queue and timers in one process, converters in child processes. */

const SWEEP_MS = 30_000;
const TIDY_MS = 10 * 60_000;
/** Maximum number of unfinished jobs that are recovered at startup; more than a queue of one machine ever contains. */
const RECOVERED_JOBS_MAX = 1_000_000;
/**
 * Connections that wait to be accepted, at most the system's limit. If a burst fills the backlog, the system drops
 * further ones, and their clients try again after a second.
 */
const BACKLOG = 4_096;
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
  const { pool, warm, warmedUp, slots, furtherSlots } = startConverters(settings, {
    ...files,
    enclosure: sandbox.enclosure,
  });
  const context = localContext(withheldEngines(settings, sandbox));
  const pages = await builtPages(settings);
  const forms = settings.gotenberg ? await gotenberg(context) : undefined;
  const server = await gateway({
    body: "stream",
    files: context.files.serveSigned,
    gotenberg: forms,
    metrics: metricsPage(context.metrics, { access: settings.metricsAccess, clock: context.clock }),
    pages,
    origin: requestOrigin({ ...settings, listensOn: settings.host }),
    limits: settings,
    onError,
  });
  const url = await listen(server, settings);
  await recover(context);
  const conversions = countedConversions(warm);
  for (const gauges of [processGauges(context.clock()), storeGauges(context), conversions.gauges, server.gauges]) {
    context.metrics.onRead(gauges);
  }
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
  const prepared = prepare({
    settings,
    installed: context,
    scratchFolder: files.scratchFolder,
    conversions: pool.briefly,
    onError,
    warmedUp,
    whenIdle: idleServer(server, warm.isBusy),
    signal: stopping.signal,
  });
  // Messages are only lost in a power failure, so a job that stays queued does not need a second message.
  const sweep = sweepJobs({ ...context, queue: { send: context.queue.resend } });
  const timers = [every(SWEEP_MS, sweep), every(TIDY_MS, tidying(context))];
  stopOnSignals(process, {
    stop: async () => {
      stopping.abort();
      await prepared;
      await shutDown({ server, forms, work, tasks, pool, context, lock, timers });
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

/** Most services do not offer these routes, and their memory is a few MB. */
const gotenberg = async (context: LocalContext): Promise<GotenbergRoutes> =>
  (await import("./gotenberg/gotenberg.ts")).gotenbergRoutes(context);

/** @returns the engines that run scripts of strangers, unless the sandbox restricts files and the network */
const withheldEngines = ({ webPages }: Settings, { enclosure: { protections } }: Sandbox): readonly EngineId[] =>
  webPages && protections.includes("files") && protections.includes("network")
    ? []
    : engineIds.filter((id) => runScripts([id]));

/** @param about log fields of the job or task that failed */
const onError = (error: unknown, about: Readonly<Record<string, string>> = {}): void =>
  logger.error("unexpected", { ...about, error: asError(error) });

/** @returns the dashboard, rebuilt if its sources have changed; undefined if there is none. The API works without it */
const builtPages = async ({ publicUrl, operatorTexts }: Settings): Promise<Dashboard | undefined> => {
  const build = await buildDashboard();
  if (build.outcome === "built") {
    console.log(`Built the dashboard in ${(build.milliseconds / 1_000).toFixed(1)} s.\n`);
  }
  if (build.outcome === "failed") {
    console.error(`The dashboard build failed:\n${build.output}\n`);
  }
  const origin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return dashboard(BUILT_PAGES, { origin, operatorTexts });
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
const listen = async (server: Server, { host, port }: Settings): Promise<string> => {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: "is already in use. Stop the other program, or set PORT to another port",
      EACCES: "requires privileges. Set PORT to a port above 1023",
      EADDRNOTAVAIL: "is not an address of this machine. Set HOST to a local address",
    };
    const reason = reasons[String(code)];
    throw reason === undefined ? error : new SettingsError(`Port ${port} on ${host} ${reason}.`);
  }
  const address = server.address();
  // A wildcard address: browsers and curl need a specific one.
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const name = reached.includes(":") ? `[${reached}]` : reached;
  return `http://${name}:${typeof address === "object" ? address?.port : port}`;
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
