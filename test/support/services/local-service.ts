import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** A process of the service that prints its URL. */
export interface ServiceProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** @returns what it has printed so far */
  output(): string;
  /** Ends it like an operator, with SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
  /** Ends it like a power failure. */
  kill(): Promise<void>;
}

/** The one-machine service as a user starts it, on a free port and in a separate folder. */
export interface LocalService extends ServiceProcess {
  readonly dataDir: string;
  /** Removes its folder, after it has ended. */
  erase(): Promise<void>;
}

export interface NewAccount {
  readonly account_id: string;
  readonly api_key: string;
}

const root = join(import.meta.dirname, "../../..");
const READY_MS_MAX = 90_000;
const run = promisify(execFile);

/** Starts a program of this project and waits until it listens. `npm`: by npm, as the leader of a process group. */
export const startProcess = async (
  args: string[],
  env: Record<string, string>,
  by: "node" | "npm" = "node",
): Promise<ServiceProcess> => {
  const child = spawn(by === "npm" ? "npm" : process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    detached: by === "npm",
  });
  const exited = once(child, "exit");
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  const url = await Promise.race([
    readUrl(child),
    exited.then(([code]) => Promise.reject(new Error(`The service ended with exit code ${code}.`))),
  ]);
  return {
    url,
    process: child,
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        process.kill(by === "npm" ? -child.pid : child.pid, "SIGKILL");
      }
      await exited;
    },
  };
};

export const startLocalService = async (
  options: { dataDir?: string; env?: Record<string, string>; by?: "node" | "npm" } = {},
): Promise<LocalService> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "anyform-test-")));
  const env = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, ...options.env };
  const service = await startProcess(options.by === "npm" ? ["start"] : startArguments(), env, options.by);
  // A further process that ends with a killed one may still make a folder.
  return { ...service, dataDir, erase: () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }) };
};

/** @returns the Node arguments of `npm start`, so that tests run what users run */
export const startArguments = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  // `exec node …`: the shell is replaced, so that a signal to npm reaches the service.
  return scripts.start.split(" ").slice(2);
};

/** Runs the operator's command for accounts. @returns its parsed output */
export const accountsCommand = async <Result>(args: string[], env: Record<string, string>): Promise<Result> => {
  const { stdout } = await run(
    process.execPath,
    ["--conditions=anyform-local", "local/accounts.ts", ...args, "--json"],
    {
      cwd: root,
      env: { ...process.env, ...env },
      timeout: 90_000,
    },
  );
  return JSON.parse(stdout) as Result;
};

const readUrl = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) {
    throw new TypeError("The service was started without a pipe for its output.");
  }
  const lines = createInterface({ input: child.stdout });
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_MS_MAX);
  const url = await new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const match = /listens on (http:\S+)/.exec(line);
      if (match?.[1] !== undefined) {
        resolve(match[1]);
      }
    });
  });
  clearTimeout(timer);
  return url;
};
