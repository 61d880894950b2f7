import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** A process of the service that is killed, paused and restarted. */
export interface Mortal {
  url(): string;
  pid(): number | undefined;
  /** Pauses it for this many milliseconds. @returns whether it was running */
  freeze(milliseconds: number): Promise<boolean>;
  /** Kills it, waits, and restarts it. */
  kill(deadMs: number): Promise<boolean>;
  /** Starts it if it is not running, with as many tries as needed. */
  revive(): Promise<void>;
  setClock(aheadMs: number): void;
  stop(): Promise<void>;
}

export interface MortalSettings {
  /** The command that starts the program: `nsenter`, for example. @default none */
  readonly through?: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Contains the log and the clock. */
  readonly folder: string;
}

const root = join(import.meta.dirname, "../..");
const READY_MS_MAX = 90_000;
const STARTS_MAX = 60;
const START_PAUSE_MS = 500;

/** The environment with which processes that restart often share one compile cache. */
export const compiledIn = (folder: string) => ({ NODE_COMPILE_CACHE: join(folder, "compiled") });

export const mortal = ({ through = [], args, env, folder }: MortalSettings): Mortal => {
  mkdirSync(folder, { recursive: true });
  const clock = join(folder, "clock");
  writeFileSync(clock, "0");
  const log = createWriteStream(join(folder, "service.log"), { flags: "a" });
  const [program = "", ...rest] = [
    ...through,
    // Otherwise it would outlive a harness that is stopped.
    ...["setpriv", "--pdeathsig", "TERM", "--"],
    process.execPath,
    "--import",
    join(import.meta.dirname, "clock.ts"),
    ...args,
  ];
  let child: ChildProcess | undefined;
  let url = "";
  let starting: Promise<void> | undefined;

  const begin = async (): Promise<boolean> => {
    const born = spawn(program, rest, {
      cwd: root,
      env: { ...process.env, ...env, ...compiledIn(folder), CHAOS_CLOCK: clock },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = born;
    born.stderr.pipe(log, { end: false });
    const exited = once(born, "exit");
    exited.then(() => {
      if (child === born) {
        child = undefined;
      }
    }, onError);
    const found = await Promise.race([
      urlIn(born),
      exited.then(() => undefined),
      pause(READY_MS_MAX, undefined, { ref: false }),
    ]);
    if (found === undefined) {
      born.kill("SIGKILL");
      await exited;
      return false;
    }
    url = found;
    return true;
  };
  const urlIn = (born: ChildProcess): Promise<string> =>
    new Promise((resolve) => {
      // It is read to the end, since a full pipe would stop the service.
      createInterface({ input: born.stdout ?? process.stdin }).on("line", (line) => {
        log.write(`${line}\n`);
        const match = /listens on (http:\S+)/.exec(line);
        if (match?.[1] !== undefined) {
          resolve(match[1]);
        }
      });
    });
  const onError = (error: unknown): void => void log.write(`${error}\n`);
  const startUp = async (): Promise<void> => {
    for (let starts = 0; child === undefined; starts += 1) {
      if (starts >= STARTS_MAX) {
        throw new Error(`The service did not restart in ${STARTS_MAX} tries: see ${folder}.`);
      }
      if (!(await begin())) {
        await pause(START_PAUSE_MS);
      }
    }
  };
  const revive = (): Promise<void> => {
    starting ??= startUp().finally(() => {
      starting = undefined;
    });
    return starting;
  };
  return {
    url: () => url,
    pid: () => child?.pid,
    freeze: async (milliseconds) => {
      const frozen = child;
      const done = frozen?.kill("SIGSTOP") ?? false;
      await pause(milliseconds);
      frozen?.kill("SIGCONT");
      return done;
    },
    kill: async (deadMs) => {
      const victim = child;
      if (victim === undefined || starting !== undefined) {
        return false;
      }
      const exited = once(victim, "exit");
      victim.kill("SIGKILL");
      await exited;
      await pause(deadMs);
      await revive();
      return true;
    },
    revive,
    setClock: (aheadMs) => writeFileSync(clock, String(aheadMs)),
    stop: async () => {
      await starting;
      const last = child;
      if (last !== undefined) {
        const exited = once(last, "exit");
        last.kill("SIGTERM");
        await exited;
      }
      log.end();
    },
  };
};
