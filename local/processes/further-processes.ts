import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Measurement } from "../../functions/domain/metrics.ts";
import { logger } from "../../functions/logger.ts";
import type { FolderFiles } from "../files/folder-files.ts";
import type { LocalQueue } from "../sqlite/queue.ts";
import { batched, FURTHER, type ToFirst, type ToFurther } from "./messages.ts";
import { type ServedState, servedState } from "./served-state.ts";
import type { SharedState } from "./shared-state.ts";

/** The further processes of the service, which only serve requests. One that ends is replaced. */
export interface FurtherProcesses {
  /** The latest gauges of all of them. */
  gauges(): readonly (readonly Measurement[])[];
  /** Lets them accept no more connections. */
  stopAccepting(): void;
  /** Lets them finish their requests, without waiting for jobs. Resolves when they have ended. */
  stop(): Promise<void>;
}

export interface FurtherSettings {
  readonly count: number;
  /** The port that they share with this process. */
  readonly port: number;
  readonly state: SharedState;
  readonly queue: Pick<LocalQueue, "sentElsewhere">;
  readonly files: Pick<FolderFiles, "clearTemporaryOf">;
  /** The folder of the converters' temporary files. */
  readonly scratchFolder: string;
  readonly onError: (error: unknown) => void;
  /** @default the program of this process */
  readonly program?: string;
  /** @default SILENCE_MS */
  readonly silenceMs?: number;
}

/** Milliseconds until a process that ended is replaced; doubled each time it ends sooner than that. */
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;

/** Processes report their gauges every second. One that reports nothing in so many milliseconds, six times in a row, is killed. */
const SILENCE_MS = 10_000;
const SILENCES_MAX = 6;

/** Milliseconds after which a process that was asked to end is killed: longer than it lets its requests finish. */
const STOP_MS_MAX = 40_000;

export const furtherProcesses = ({ count, ...settings }: FurtherSettings): FurtherProcesses => {
  const running = new Set<Process>();
  const stopping = new AbortController();
  const keepOne = async (name: string): Promise<void> => {
    for (let pause = PAUSE_MS; !stopping.signal.aborted; ) {
      const startedAt = performance.now();
      const one = startOne(name, settings, (asking) => flushAll(asking));
      running.add(one);
      // A process that could not be started ends without a code, and its error is reported.
      const [code, signal] = await once(one.child, "exit").catch(() => []);
      running.delete(one);
      clearInterval(one.watch);
      one.served.release();
      await removeFilesOf(name, settings).catch(settings.onError);
      if (!stopping.signal.aborted) {
        logger.error("a process that serves requests ended", { code, signal });
        pause = performance.now() - startedAt > pause ? PAUSE_MS : Math.min(PAUSE_MS_MAX, 2 * pause);
        await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  /** @param asking the process that has written its own */
  const flushAll = async (asking?: Process): Promise<void> => {
    const others = [...running].filter((one) => one !== asking).map(({ served }) => served.flush());
    await Promise.all([...others, ...(asking === undefined ? [] : [settings.state.requestLogs.flush()])]);
  };
  if (count > 0) {
    settings.state.requestLogs.onFlushOthers(flushAll);
  }
  const kept = Array.from({ length: count }, (_, index) => keepOne(String(index + 1)));
  const sendAll = (message: ToFurther): void => {
    for (const { send } of running) {
      send(message);
    }
  };
  settings.state.notifications.onNotify((changed) => sendAll({ changed }));
  return {
    gauges: () => [...running].map(({ served }) => served.gauges()),
    stopAccepting: () => {
      stopping.abort();
      sendAll({ stop: "accepting" });
    },
    stop: async () => {
      sendAll({ stop: "waiting" });
      const late = new AbortController();
      const killing = setTimeout(STOP_MS_MAX, undefined, { signal: late.signal }).then(
        () => running.forEach(({ child }) => void child.kill("SIGKILL")),
        () => {},
      );
      await Promise.all(kept);
      late.abort();
      await killing;
    },
  };
};

/** Most processes leave nothing. One that was killed leaves what it was writing. */
const removeFilesOf = async (name: string, { files, scratchFolder }: Omit<FurtherSettings, "count">): Promise<void> => {
  await files.clearTemporaryOf(name);
  await rm(join(scratchFolder, name), { recursive: true, force: true });
};

interface Process {
  readonly child: ChildProcess;
  readonly served: ServedState;
  readonly send: (message: ToFurther) => void;
  /** Kills it when it is silent. */
  readonly watch: NodeJS.Timeout;
}

const startOne = (
  name: string,
  settings: Omit<FurtherSettings, "count" | "files" | "scratchFolder">,
  flushOthers: (asking: Process) => Promise<void>,
): Process => {
  const { port, state, queue, onError, program = process.argv[1] ?? "", silenceMs = SILENCE_MS } = settings;
  const child = fork(program, [FURTHER, name], { env: { ...process.env, PORT: String(port) } });
  const send = batched<ToFurther>((messages) => {
    if (child.connected) {
      // A process that is ending cannot receive them.
      child.send(messages, () => {});
    }
  });
  const served = servedState({ state, queue, send, onError, flushOthers: () => flushOthers(one) });
  let silences = 0;
  const watch = setInterval(() => {
    silences += 1;
    if (silences > SILENCES_MAX) {
      child.kill("SIGKILL");
    }
  }, silenceMs).unref();
  const one: Process = { child, served, send, watch };
  child.on("message", (messages: readonly ToFirst[]) => {
    silences = 0;
    messages.forEach(served.receive);
  });
  child.on("error", onError);
  return one;
};
