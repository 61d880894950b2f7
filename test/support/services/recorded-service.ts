import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulators, startEmulators } from "../emulators/emulators.ts";
import { startArguments } from "./local-service.ts";

/** A service with its complete output. */
export interface RecordedService {
  readonly url: string;
  /** The environment that the operator's commands need to access its tables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tables: "local" | "aws";
  /** Its complete output so far, stdout and stderr. */
  output(): string;
  stop(): Promise<void>;
}

/** Logs everything, and allows connections to test servers. */
const TALKATIVE = { POWERTOOLS_LOG_LEVEL: "DEBUG", ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" };
const READY_MS_MAX = 90_000;
const LOOK_MS = 20;

/** The one-machine service, as `npm start` starts it. */
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

/** The Lambda handlers on the AWS adapters, with their metrics in the log like in a deployment. */
export const recordAwsService = async (): Promise<RecordedService> => {
  const emulators: Emulators = await startEmulators();
  const { environment } = emulators;
  const configured = { ...environment, ANYFORM_METRICS_NAMESPACE: "anyform-test" };
  const started = await record(["test/support/services/aws-service.ts"], configured);
  const stop = async () => {
    await started.stop();
    await emulators.stop();
  };
  return { ...started, environment, tables: "aws", stop };
};

const record = async (args: readonly string[], environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, "../../.."),
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
