import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import {
  lostProgram,
  ProgramLost,
  type Warm,
  type WarmProgram,
  type WarmSettings,
  warm,
} from "../../../functions/engines/core/warm.ts";
import { isRunning, until } from "../support/processes/processes.ts";

interface Sleeper extends WarmProgram {
  readonly child: ChildProcess;
}

let started: number[] = [];
/** Programs that no longer respond. */
const silent = new Set<number>();

afterEach(() => {
  for (const pid of started.filter(isRunning)) {
    process.kill(pid, "SIGKILL");
  }
  started = [];
});

const start = async (): Promise<Sleeper> => {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  const exited = once(child, "exit");
  started.push(child.pid ?? 0);
  return {
    child,
    pid: child.pid ?? 0,
    isHealthy: () => (silent.has(child.pid ?? 0) ? new Promise(() => {}) : Promise.resolve(child.exitCode === null)),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
};

const warmSleeper = (over: Partial<WarmSettings<Sleeper>> = {}): Warm<Sleeper> =>
  warm({ start, jobsMax: 100, memoryBytesMax: 1e9, idleMsMax: 60_000, healthMsMax: 1_000, ...over });

const pidOf = async ({ pid }: Sleeper): Promise<number> => pid;

test("starts a program for the first job and reuses it for the next ones", async () => {
  const program = warmSleeper();
  expect(started).toEqual([]);
  const pids = [await program.use(pidOf), await program.use(pidOf), await program.use(pidOf)];
  expect(new Set(pids).size).toBe(1);
  expect(started).toEqual([pids[0]]);
});

test("restarts it after the maximum number of jobs", async () => {
  const program = warmSleeper({ jobsMax: 2 });
  for (let job = 0; job < 5; job += 1) {
    await program.use(pidOf);
  }
  expect(started).toHaveLength(3);
  expect(started.filter(isRunning)).toHaveLength(1);
});

test("restarts it when it uses too much memory after a job", async () => {
  const program = warmSleeper({ memoryBytesMax: 1_000 });
  await program.use(pidOf);
  await program.use(pidOf);
  expect(started).toHaveLength(2);
  expect(started.filter(isRunning)).toEqual([]);
});

test("replaces an unresponsive program before the job", async () => {
  const program = warmSleeper({ healthMsMax: 50 });
  const first = await program.use(async (sleeper) => {
    sleeper.child.kill("SIGSTOP");
    silent.add(sleeper.pid);
    return sleeper.pid;
  });
  expect(await program.use(pidOf)).not.toBe(first);
  expect(isRunning(first)).toBe(false);
});

test("retries a job once with a new program when its program is lost", async () => {
  const program = warmSleeper();
  const seen: number[] = [];
  const result = await program.use(async (sleeper) => {
    seen.push(sleeper.pid);
    if (seen.length === 1) {
      await sleeper.kill();
      throw new ProgramLost("gone");
    }
    return "done";
  });
  expect(result).toBe("done");
  expect(new Set(seen).size).toBe(2);
});

test("fails a job that loses its program twice with the cause of the second loss", async () => {
  const program = warmSleeper();
  let losses = 0;
  const lose = () => {
    losses += 1;
    return Promise.reject(new ProgramLost("gone", { cause: new Error(`loss ${losses}`) }));
  };
  await expect(program.use(lose)).rejects.toThrow("loss 2");
  expect(started).toHaveLength(2);
  expect(started.filter(isRunning)).toEqual([]);
});

test("does not blame a job for a program that is lost twice while starting", async () => {
  const lost = () => Promise.reject(lostProgram("It", { wasKilled: false, blame: "Bad file." }));
  const program = warmSleeper({ start: lost });
  await expect(program.use(pidOf)).rejects.toMatchObject({ code: "engine_failed" });
});

test("does not retry a job that fails by itself, and keeps the program", async () => {
  const program = warmSleeper();
  const first = await program.use(pidOf);
  await expect(program.use(() => Promise.reject(new Error("bad input")))).rejects.toThrow("bad input");
  expect(await program.use(pidOf)).toBe(first);
});

test("ends the program after idle time, but not during a longer job", async () => {
  const program = warmSleeper({ idleMsMax: 100 });
  const first = await program.use(pidOf);
  const second = await program.use(async ({ pid }) => {
    await pause(300);
    return isRunning(pid) ? pid : 0;
  });
  expect(second).toBe(first);
  await until(() => !isRunning(first));
  expect(await program.use(pidOf)).not.toBe(first);
});
