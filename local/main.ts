import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type ConverterPool, converterPool } from "../functions/engines/run.ts";
import { convertFile } from "../functions/events/convert-file.ts";
import { deliverWebhook } from "../functions/events/deliver-webhook.ts";
import { failJob } from "../functions/events/fail-job.ts";
import { failUpload } from "../functions/events/fail-upload.ts";
import { importUpload } from "../functions/events/import-upload.ts";
import { sweepJobs } from "../functions/events/sweep-jobs.ts";
import { asError, logger } from "../functions/logger.ts";
import { BUILT_PAGES, buildDashboard } from "./build-dashboard.ts";
import { type LocalContext, context as localContext } from "./context.ts";
import { type Dashboard, dashboard } from "./dashboard.ts";
import { type Dispatcher, dispatcher } from "./dispatcher.ts";
import { missingPrograms } from "./engines.ts";
import { firstKey } from "./first-key.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { gateway } from "./gateway.ts";
import { countedConversions, processGauges, storeGauges } from "./gauges.ts";
import { wallsAround } from "./isolation.ts";
import { metricsPage } from "./metrics-page.ts";
import { curlSession } from "./session.ts";
import { prepareDataDir, readSettings, type Settings, SettingsError } from "./settings.ts";
import { tidying } from "./tidy.ts";
import { type Worker, worker } from "./worker.ts";

/** The one-machine service: gateway, queue, converters and timers in one process, the conversions in children of it. */

const SWEEP_MS = 30_000;
const TIDY_MS = 10 * 60_000;
/** How long requests and conversions in hand may take to end, once the service is told to. */
const DRAIN_MS_MAX = 30_000;
/** Unfinished jobs that a start looks at; more than a queue of one machine ever holds. */
const RECOVERED_JOBS_MAX = 1_000_000;

const main = async (): Promise<void> => {
  const settings = readSettings();
  prepareDataDir(settings);
  const lock = lockFolder(settings.dataDir);
  const context = localContext();
  const pages = await builtPages();
  const walls = await wallsAround(settings.isolation, context);
  const server = await gateway({
    body: "stream",
    files: context.files.serveSigned,
    metrics: metricsPage(context.metrics, { access: settings.metricsAccess, clock: context.clock }),
    pages,
    onError,
  });
  const url = await listen(server, settings);
  await recover(context);
  const pool = converterPool({
    size: availableParallelism(),
    entry: context.converterEntry,
    enclosure: walls.enclosure,
    scratchFolder: context.scratchFolder,
  });
  const conversions = countedConversions(pool.run, pool.size);
  for (const gauges of [processGauges(context.clock()), storeGauges(context), conversions.gauges]) {
    context.metrics.onRead(gauges);
  }
  const work = dispatcher({
    ...context,
    slots: pool.size,
    convert: convertFile(context, conversions.run),
    fail: failJob(context),
    onEnd: context.admission.jobEnded,
    onError,
  });
  const tasks = worker(context, {
    importUpload: importUpload(context),
    failUpload: failUpload(context),
    deliver: deliverWebhook(context),
    onError,
  });
  context.onTask(tasks.wake);
  context.onMessage(work.wake);
  work.wake();
  // No message is lost here but by a cut of the power, so a job that waits long needs no further one.
  const sweep = sweepJobs({ ...context, queue: { send: context.queue.resend } });
  const timers = [every(SWEEP_MS, sweep), every(TIDY_MS, tidying(context))];
  const stop = () => shutDown({ server, work, tasks, pool, context, lock, timers });
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const keyPath = await firstKey(context);
  if (pages !== undefined) {
    console.log(welcome(settings.publicUrl ?? browserUrl(url), settings));
  }
  console.log(`Anyform listens on ${url}\nand keeps its data in ${settings.dataDir}.\n`);
  console.log(curlSession({ url, keyPath, shell: settings.shell }));
  console.log(walls.told);
  const missing = missingPrograms();
  if (missing.length > 0) {
    console.log(
      `Not installed: ${missing.join(", ")}. \`npm run engines\` installs them; without them fewer formats are listed.`,
    );
  }
};

/** @param about what the log says of the job or the task that it happened to */
const onError = (error: unknown, about: Readonly<Record<string, string>> = {}): void =>
  logger.error("unexpected", { ...about, error: asError(error) });

/** @returns the pages, built anew where their sources have changed; undefined where there are none. The API needs none */
const builtPages = async (): Promise<Dashboard | undefined> => {
  const build = await buildDashboard();
  if (build.outcome === "built") {
    console.log(`Built the pages of the dashboard in ${(build.milliseconds / 1_000).toFixed(1)} s.\n`);
  }
  if (build.outcome === "failed") {
    console.error(`The pages of the dashboard could not be built:\n${build.said}\n`);
  }
  return dashboard(BUILT_PAGES);
};

/** Browsers make passkeys for names only, and take this one for a safe place. */
const browserUrl = (url: string): string =>
  url.replace("//127.0.0.1:", "//localhost:").replace("//[::1]:", "//localhost:");

const welcome = (url: string, { smtp, dataDir }: Settings): string => {
  const code = smtp === undefined ? `is printed here, and put into ${join(dataDir, "outbox")}` : "comes by mail";
  return `Open ${new URL("/", url)} in a browser. To sign in, name your e-mail address: the code ${code}.\n`;
};

/** @returns where the service is reached */
const listen = async (server: Server, { host, port }: Settings): Promise<string> => {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: "is in use: stop what uses it, or set PORT to another one",
      EACCES: "is not allowed: set PORT to one above 1023",
      EADDRNOTAVAIL: "is not an address of this machine: set HOST to one that is",
    };
    const reason = reasons[String(code)];
    throw reason === undefined ? error : new SettingsError(`Port ${port} on ${host} ${reason}.`);
  }
  const address = server.address();
  // Every address of the machine: a user's browser and curl want one.
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const name = reached.includes(":") ? `[${reached}]` : reached;
  return `http://${name}:${typeof address === "object" ? address?.port : port}`;
};

/** Takes up what an earlier run left: its converters are gone, so what they held goes back to the queue. */
const recover = async ({ files, jobs, queue, scratchFolder, clock }: LocalContext): Promise<void> => {
  await files.clearTemporary();
  for (const name of await readdir(scratchFolder)) {
    await rm(join(scratchFolder, name), { recursive: true, force: true });
  }
  for (const job of await jobs.overdue(Number.MAX_SAFE_INTEGER, RECOVERED_JOBS_MAX)) {
    await jobs.release(job.id, job.attempt, clock());
  }
  queue.reviveAll();
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

interface Running {
  readonly server: Server;
  readonly work: Dispatcher;
  readonly tasks: Worker;
  readonly pool: ConverterPool;
  readonly context: LocalContext;
  readonly lock: FolderLock;
  readonly timers: readonly NodeJS.Timeout[];
}

/** Ends what is in hand and takes nothing new; what does not end in time is taken up by the next start. */
const shutDown = async ({ server, work, tasks, pool, context, lock, timers }: Running): Promise<void> => {
  for (const timer of timers) {
    clearInterval(timer);
  }
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.all([work.drain(DRAIN_MS_MAX), tasks.drain(DRAIN_MS_MAX)]);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
  await closed;
  clearTimeout(late);
  await pool.stop();
  context.database.close();
  lock.release();
  process.exit(0);
};

try {
  await main();
} catch (error) {
  console.error(error instanceof Error && !(error instanceof TypeError) ? error.message : error);
  process.exit(1);
}
