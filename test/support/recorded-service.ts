import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulators, startEmulators } from "./emulators.ts";
import { startArguments } from "./local-service.ts";

/** A service with all that it writes while it runs. */
export interface RecordedService {
  readonly url: string;
  /** What the operator's commands need to reach its tables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tables: "local" | "aws";
  /** All that it has written so far, to both outputs. */
  output(): string;
  stop(): Promise<void>;
}

/** Everything is logged, and servers of the test may be reached. */
const TALKATIVE = { POWERTOOLS_LOG_LEVEL: "DEBUG", ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" };
const READY_MS_MAX = 30_000;
const LOOK_MS = 20;

/** The service of one machine, as `npm start` starts it. */
export const recordLocalService = async (): Promise<RecordedService> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-recorded-"));
  const environment = { DATA_DIR: folder };
  const started = await record(startArguments(), { ...environment, HOST: "127.0.0.1", PORT: "0" });
  const stop = async () => {
    await started.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...started, environment, tables: "local", stop };
};

/** The Lambda handlers over the adapters of AWS, with their metrics in the log as a deployment has them. */
export const recordAwsService = async (): Promise<RecordedService> => {
  const emulators: Emulators = await startEmulators();
  const { environment } = emulators;
  const told = { ...environment, ANYFORM_METRICS_NAMESPACE: "anyform-test" };
  const started = await record(["test/support/aws-service.ts"], told);
  const stop = async () => {
    await started.stop();
    await emulators.stop();
  };
  return { ...started, environment, tables: "aws", stop };
};

const record = async (args: readonly string[], environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, ...TALKATIVE, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const outputs = ["", ""];
  for (const [index, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      outputs[index] += text;
    });
  }
  const output = () => outputs.join("\n");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  for (let waited = 0; waited < READY_MS_MAX && child.exitCode === null; waited += LOOK_MS) {
    const [, url] = /listens on (http:\S+)/.exec(output()) ?? [];
    if (url !== undefined) {
      return { url, output, stop };
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  await stop();
  throw new Error(`The service did not start:\n${output()}`);
};
