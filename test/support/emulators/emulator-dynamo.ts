import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../address.ts";

export interface DynamoEmulator {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Another process may take the port between finding and using it. */
const STARTS_MAX = 3;
const READY_MS_MAX = 60_000;
const LOOK_MS = 20;

/** Starts the DynamoDB emulator in memory, on a free loopback port. */
export const startDynamo = async (): Promise<DynamoEmulator> => {
  let said = "";
  for (let starts = 1; starts <= STARTS_MAX; starts += 1) {
    const port = await freePort();
    const child = run(port);
    child.stderr?.on("data", (text: Buffer) => {
      said = text.toString();
    });
    if (await answers(child, port)) {
      return { endpoint: `http://127.0.0.1:${port}`, stop: () => stop(child) };
    }
    await stop(child);
  }
  throw new Error(`dynoxide did not start in ${STARTS_MAX} tries. Output: ${said}`);
};

const run = (port: number): ChildProcess => {
  const binary = createRequire(import.meta.url).resolve("@dynoxide/linux-x64/dynoxide");
  // The emulator would outlive a parent that crashes, so the kernel is configured to end it.
  const child = spawn("setpriv", ["--pdeathsig", "TERM", "--", binary, "--host", "127.0.0.1", "--port", String(port)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Without a listener the error of a missing `setpriv` would end this process; `answers` detects that nothing runs.
  return child.on("error", () => child.kill());
};

const answers = async (child: ChildProcess, port: number): Promise<boolean> => {
  const end = Date.now() + READY_MS_MAX;
  while (child.exitCode === null && child.signalCode === null && Date.now() < end) {
    if (await accepts(port)) {
      return true;
    }
    await setTimeout(LOOK_MS);
  }
  return false;
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
};
