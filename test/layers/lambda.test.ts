import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { type EngineId, engineIds, engineOf, laneHolds } from "../../functions/domain/conversions/engines.ts";
import { laneIds, lanes } from "../../functions/domain/conversions/lanes.ts";
import type { ConversionTask } from "../../functions/engines/core/task.ts";
import { removeUnused } from "../../layers/build.ts";
import { sampleFor } from "../engines/support/fixtures.ts";
import { bundledOnce } from "../support/run/bundled.ts";

/**
 * The converter as installed in Lambda: its bundle in one folder, the layers of its lane in another, which only
 * NODE_PATH refers to, and nothing else. The packages are those of the layers' lock files, for this processor.
 */

const MS_MAX = 40_000;

const lambda = mkdtempSync(join(tmpdir(), "anyform-lambda-"));
let converter = "";
const packagesOf = (lane: string): string => join(lambda, lane, "nodejs/node_modules");

/** The lanes whose functions are ZIP files with layers. */
const zipped = laneIds.filter((lane) => !lanes[lane].image);

beforeAll(() => {
  converter = join(bundledOnce().folder, "convert-file/converter.mjs");
  for (const lane of zipped) {
    for (const layer of lanes[lane].layers) {
      const place = join(lambda, lane, layer);
      const lock = JSON.parse(readFileSync(`layers/${layer}/package-lock.json`, "utf8"));
      // Native packages are those of this machine's processor: the lock file lists all, and only these are installed.
      for (const path of Object.keys(lock.packages).filter((path) => path !== "" && existsSync(path))) {
        cpSync(path, join(place, path), { recursive: true });
      }
      removeUnused(layer, join(place, "node_modules"));
      cpSync(join(place, "node_modules"), packagesOf(lane), { recursive: true });
      rmSync(place, { recursive: true });
    }
  }
}, 240_000);
afterAll(() => rmSync(lambda, { recursive: true }));

/** @returns the first conversion of the engine, for the sample of its source */
const taskOf = (engine: EngineId, lane: string): ConversionTask => {
  const conversion = conversions.find((row) => row.engine === engine);
  if (conversion === undefined) {
    throw new Error(`No conversion uses the engine ${engine}.`);
  }
  const { from, to } = conversion;
  const folder = join(lambda, `job-${lane}-${engine}`);
  mkdirSync(folder);
  return { input: sampleFor(from, to), folder, steps: [{ engine, from, to, options: [] }], options: {} };
};

interface Converter {
  /** @returns the last message about the task: its result, its error, or the exit code */
  convert(task: ConversionTask): Promise<Record<string, unknown>>;
  end(): void;
}

const startConverter = (environment: Record<string, string>): Converter => {
  const child = fork(converter, [], { cwd: lambda, env: environment, execArgv: [], stdio: "ignore" });
  const exited = once(child, "exit").then(([code, signal]) => ({ exit: signal ?? code }));
  return {
    convert: (task) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), MS_MAX);
      const said = new Promise<Record<string, unknown>>((done) => {
        child.on("message", function take(message: Record<string, unknown>) {
          if (!("progress" in message)) {
            child.off("message", take);
            done(message);
          }
        });
      });
      child.send(task);
      return Promise.race([said, exited]).finally(() => clearTimeout(timer));
    },
    end: () => child.kill("SIGKILL"),
  };
};

describe.each(zipped)("the converter of the lane %s", (lane) => {
  const engines = engineIds.filter((id) => laneHolds(lane, id) && engineOf(id).programs === undefined);

  let running: Converter;
  beforeAll(() => {
    running = startConverter({ NODE_PATH: packagesOf(lane) });
  });
  afterAll(() => running?.end());

  test.each(engines)("converts with %s, from its bundle and its layers alone", async (engine) => {
    const said = await running.convert(taskOf(engine, lane));
    expect(said).toMatchObject({ result: { output: expect.any(String) } });
    const { output } = said.result as { output: string };
    expect(readFileSync(output).length).toBeGreaterThan(0);
  });
});

test("no engine is found without the layers, so the layers are used", async () => {
  const task = taskOf("sharp", "none");
  const answer = async (environment: Record<string, string>) => {
    const running = startConverter(environment);
    try {
      return await running.convert(task);
    } finally {
      running.end();
    }
  };
  expect(await answer({})).toMatchObject({
    error: { cause: expect.stringContaining("Cannot find module 'sharp'") },
  });
  const { result } = await answer({ NODE_PATH: packagesOf("fast") });
  expect(await sharp((result as { output: string }).output).metadata()).toMatchObject({ format: expect.any(String) });
});
