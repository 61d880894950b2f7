import type { Server } from "node:http";
import type { ConverterPool } from "../functions/engines/core/run.ts";
import type { LocalContext } from "./context.ts";
import type { FolderLock } from "./files/folder-lock.ts";
import type { GotenbergRoutes } from "./gotenberg/gotenberg.ts";
import type { FurtherProcesses } from "./processes/further-processes.ts";

/** How long running requests and conversions may take to end when the service is stopped. */
const DRAIN_MS_MAX = 30_000;
const IDLE_CHECK_MS = 100;

/** What the service consists of while it runs. */
export interface Running {
  readonly server: Server;
  readonly forms: GotenbergRoutes | undefined;
  /** Lets running work finish for the milliseconds at most. */
  readonly draining: readonly ((milliseconds: number) => Promise<void>)[];
  readonly pool: ConverterPool;
  readonly context: LocalContext;
  /** @default none */
  readonly further?: FurtherProcesses;
  /** @default another process has it */
  readonly lock?: FolderLock;
  readonly timers: readonly NodeJS.Timeout[];
}

/** Finishes running work and accepts nothing new. Work that does not finish in time is resumed at the next start. */
export const shutDown = async (running: Running): Promise<void> => {
  const { server, forms, draining, further, pool, context, lock, timers } = running;
  for (const timer of timers) {
    clearInterval(timer);
  }
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  further?.stopAccepting();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
  // Their conversions start other conversions.
  await forms?.drain(DRAIN_MS_MAX);
  await Promise.all(draining.map((drain) => drain(DRAIN_MS_MAX)));
  // Streams of running jobs have ended with them. No other job will end.
  context.streams.close();
  await further?.stop();
  // A connection whose last response is complete stays open for further requests.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
  await pool.stop();
  await context.files.close();
  await context.requestLog.flush();
  context.reservations.close();
  context.database.close();
  lock?.release();
  process.exit(0);
};
