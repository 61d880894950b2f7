import { fork } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { type EngineId, engineIds, engineOf, laneHolds } from "../../functions/domain/conversions/engines.ts";
import { laneIds, lanes } from "../../functions/domain/conversions/lanes.ts";
import type { ConversionTask } from "../../functions/engines/core/convert.ts";
import { bundleInto } from "../../infra/bundle.ts";
import { removeUnused } from "../../layers/build.ts";
import { sampleFor } from "../engines/support/fixtures.ts";

/**
 * The converter as installed in Lambda: its bundle in one folder, the layers of its lane in another, which only
 * NODE_PATH refers to, and nothing else. The packages are those of the layers' lock files, for this processor.
 */

const MS_MAX = 40_000;

const lambda = mkdtempSync(join(tmpdir(), "anyform-lambda-"));
const converter = join(lambda, "functions/convert-file/converter.js");
const packagesOf = (lane: string): string => join(lambda, lane, "nodejs/node_modules");

/** The lanes whose functions are ZIP files with layers. */
const zipped = laneIds.filter((lane) => !lanes[lane].image);

beforeAll(async () => {
  await bundleInto(join(lambda, "functions"));
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
}, 120_000);
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

/** @returns the last message of the converter: its result, its error, or its exit code */
const convert = (task: ConversionTask, environment: Record<string, string>): Promise<Record<string, unknown>> =>
  new Promise((done, fail) => {
    const child = fork(converter, [], {
      cwd: lambda,
      env: environment,
      execArgv: [],
      stdio: "ignore",
      timeout: MS_MAX,
    });
    child.once("error", fail);
    child.once("exit", (code, signal) => done({ exit: signal ?? code }));
    child.on("message", (message: Record<string, unknown>) => {
      if (!("progress" in message)) {
        done(message);
        child.disconnect();
      }
    });
    child.send(task);
  });

describe.each(zipped)("the converter of the lane %s", (lane) => {
  const engines = engineIds.filter((id) => laneHolds(lane, id) && engineOf(id).programs === undefined);

  test.each(engines)("converts with %s, from its bundle and its layers alone", async (engine) => {
    const said = await convert(taskOf(engine, lane), { NODE_PATH: packagesOf(lane) });
    expect(said).toMatchObject({ result: { output: expect.any(String) } });
    const { output } = said.result as { output: string };
    expect(readFileSync(output).length).toBeGreaterThan(0);
  });
});

test("no engine is found without the layers, so the layers are used", async () => {
  const task = taskOf("sharp", "none");
  expect(await convert(task, {})).toMatchObject({
    error: { cause: expect.stringContaining("Cannot find module 'sharp'") },
  });
  const { result } = await convert(task, { NODE_PATH: packagesOf("fast") });
  expect(await sharp((result as { output: string }).output).metadata()).toMatchObject({ format: expect.any(String) });
});
