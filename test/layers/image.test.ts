import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { context } from "../../functions/context.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { CONVERTER_NODE_OPTIONS } from "../../functions/engines/core/converter-process.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { sampleFor } from "../engines/support/fixtures.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { type RuntimeApi, startRuntimeApi } from "../support/emulators/runtime-api.ts";
import { loadsCompiler } from "../support/loads-compiler.ts";
import { startArguments } from "../support/services/local-service.ts";
import { jobRecord, quotaRecord } from "../support/world/records.ts";

/**
 * The container's entry point as Lambda starts it: a runtime API delivers the messages of a lane, and it converts with
 * the handler, the AWS adapters and the programs of this machine. Docker itself is not needed, and not tested.
 */

const ENTRY = join(import.meta.dirname, "../../layers/image/start.sh");

const emulators = useEmulators();
const routes = planRoutes(new Set(engineIds));
const installed = installedEngines();

let api: RuntimeApi;
let started: ChildProcess | undefined;
beforeEach(async () => {
  api = await startRuntimeApi();
});
afterEach(async () => {
  if (started?.exitCode === null) {
    started.kill("SIGKILL");
    await once(started, "exit");
  }
  await api.stop();
});

const start = (): ChildProcess => {
  started = spawn(ENTRY, [], {
    env: { ...process.env, ...emulators().environment, AWS_LAMBDA_RUNTIME_API: api.address },
    stdio: "ignore",
  });
  return started;
};

/** @returns an accepted job with its upload stored */
const acceptedJob = async (from: FormatId, to: FormatId): Promise<Job> => {
  const route = routes.find(from, to);
  if (route === undefined) {
    throw new Error(`No route from ${from} to ${to}.`);
  }
  const { steps, lane } = route;
  const job = jobRecord({ sourceFormat: from, targetFormat: to, steps, lane, options: {} });
  const { jobs, files } = context();
  await files.storeStream(job.inputKey, createReadStream(sampleFor(from, to)), 1e9);
  await jobs.createJob(job, quotaRecord(job.accountId, 1));
  return job;
};

const messageOf = ({ id, accountId }: Job) => ({
  Records: [{ messageId: `m-${id}`, body: JSON.stringify({ job_id: id, account_id: accountId }) }],
});

const results = mkdtempSync(join(tmpdir(), "anyform-image-"));
afterAll(() => rmSync(results, { recursive: true }));

describe("the container on Lambda", () => {
  const lanes = [
    { lane: "documents", from: "docx", to: "odt", begins: "PK" },
    { lane: "media", from: "wav", to: "mp3", begins: "ID3" },
  ] as const;

  for (const { lane, from, to, begins } of lanes) {
    const engines = routes.find(from, to)?.steps.map(({ engine }) => engine) ?? [];
    const isHere = engines.every((engine) => installed.has(engine));
    test.skipIf(!isHere && process.env.ANYFORM_REQUIRE_ALL === undefined)(
      `converts the jobs of the lane ${lane} one after another in one process`,
      async () => {
        const jobs = [await acceptedJob(from, to), await acceptedJob(from, to)];
        expect(jobs.map((job) => job.lane)).toEqual([lane, lane]);
        const child = start();
        for (const [index, job] of jobs.entries()) {
          const outcome = await api.invoke(`request-${index}`, messageOf(job));
          expect(outcome).toMatchObject({ body: { batchItemFailures: [] } });
          const ended = await context().jobs.getJob(job.id);
          expect(ended).toMatchObject({ status: "completed", attempt: 1 });
          const path = await context().files.fetch(ended?.result?.key ?? "", results);
          expect(readFileSync(path ?? "", "latin1").slice(0, begins.length)).toBe(begins);
          rmSync(path ?? "");
        }
        expect(child.exitCode).toBeNull();
      },
    );
  }

  test("reports an invalid message as a failure, and continues", async () => {
    start();
    const strange = { Records: [{ messageId: "m-1", body: "not JSON" }] };
    expect((await api.invoke("a", strange)).body).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] });
    expect((await api.invoke("b", strange)).body).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] });
  });

  test("fails an event that is not a queue event with its error, and exits when Lambda is gone", async () => {
    const child = start();
    expect(await api.invoke("a", { hello: "world" })).toMatchObject({
      path: "invocation/a/error",
      errorType: "Runtime.TypeError",
    });
    const exited = once(child, "exit");
    await api.stop();
    expect(await exited).toEqual([1, null]);
    api = await startRuntimeApi();
  });
});

test("runs a given command instead of the service", async () => {
  const child = spawn(ENTRY, ["node", "-p", "6 * 7"], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await child.stdout.toArray();
  expect(String(Buffer.concat(said))).toBe("42\n");
});

describe("the container of one machine", () => {
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), "anyform-image-data-"));
  });
  afterAll(() => rmSync(data, { recursive: true }));

  test("passes its own health check once it serves, and prints how to read its first key from outside", async () => {
    const { AWS_LAMBDA_RUNTIME_API: _, ...environment } = process.env;
    started = spawn(ENTRY, [], {
      env: { ...environment, HOST: "127.0.0.1", PORT: "0", DATA_DIR: data },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of started.stdout ?? []) {
      said += chunk;
      if (said.includes("converted.jpg")) {
        break;
      }
    }
    expect(said).toMatch(/KEY=\$\(docker exec \S+ cat \S+\/api-key\)/);
    const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? "";
    const check = JSON.parse(/HEALTHCHECK[^[]*(\[.*\])/.exec(dockerfile())?.[1] ?? "[]");
    expect(await codeOf(check, { PORT: port })).toBe(0);
    expect(await codeOf(check, { PORT: "1" })).toBe(1);
    started.kill("SIGTERM");
    expect(await once(started, "exit")).toEqual([0, null]);
  });
});

test("the compile cache of the image has the modules of each kind of process", () => {
  const cache = mkdtempSync(join(tmpdir(), "anyform-image-cache-"));
  try {
    const env = { NODE_COMPILE_CACHE: cache };
    execFileSync(process.execPath, ["layers/image/compile.ts"], { env: { PATH: process.env.PATH, ...env } });
    const serviceOptions = startArguments().filter((argument) => argument.startsWith("--"));
    expect(loadsCompiler([], "./functions/events/convert-file.ts", env)).toBe(false);
    expect(loadsCompiler(CONVERTER_NODE_OPTIONS, "./functions/engines/core/convert.ts", env)).toBe(false);
    expect(loadsCompiler(serviceOptions, "./local/bundle/service-bundle.ts", env)).toBe(false);
  } finally {
    rmSync(cache, { recursive: true });
  }
});

const dockerfile = (): string => readFileSync("layers/image/Dockerfile", "utf8").replaceAll("\\\n", "");

const codeOf = async ([program = "", ...args]: string[], environment: Record<string, string>): Promise<unknown> => {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: "ignore" });
  return (await once(child, "exit"))[0];
};
