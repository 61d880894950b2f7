import { fork } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineIds } from "../../functions/domain/engines.ts";
import type { FormatId } from "../../functions/domain/formats.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import type { ConversionTask } from "../../functions/engines/convert.ts";
import { bundleInto } from "../../infra/bundle.ts";
import { layerNames } from "../../layers/build.ts";

/**
 * The converter as it lies in Lambda: its bundle in one folder, what the layers bring in another, which only NODE_PATH
 * names, and nothing else in reach. The packages are those that the layers' lock files name, for this processor.
 */

const MS_MAX = 30_000;

const lambda = mkdtempSync(join(tmpdir(), "anyform-lambda-"));
const packages = join(lambda, "opt/nodejs/node_modules");
const converter = join(lambda, "functions/convert-file/converter.js");

beforeAll(async () => {
  await bundleInto(join(lambda, "functions"));
  for (const layer of layerNames()) {
    const lock = JSON.parse(readFileSync(`layers/${layer}/package-lock.json`, "utf8"));
    for (const path of Object.keys(lock.packages).filter((path) => path !== "" && existsSync(path))) {
      cpSync(path, join(lambda, "opt/nodejs", path), { recursive: true });
    }
  }
});
afterAll(() => rmSync(lambda, { recursive: true }));

const routes = planRoutes(new Set(engineIds));

const taskOf = (fixture: string, from: FormatId, to: FormatId): ConversionTask => {
  const folder = join(lambda, `${from}-${to}`);
  mkdirSync(folder, { recursive: true });
  return { input: resolve("test/fixtures", fixture), folder, steps: routes.find(from, to)?.steps ?? [], options: {} };
};

/** @returns the last that the converter says: its result, its error, or how it ended */
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

test.each([
  ["sample.png", "png", "webp", "webp"],
  ["sample.heic", "heic", "jpg", "jpeg"],
] as const)(
  "%s: the bundled converter makes %s into %s with the engines of the layers",
  async (fixture, from, to, seen) => {
    const said = await convert(taskOf(fixture, from, to), { NODE_PATH: packages });
    expect(said).toMatchObject({ result: { output: expect.any(String) } });
    const { output } = said.result as { output: string };
    expect(await sharp(output).metadata()).toMatchObject({ format: seen, width: expect.any(Number) });
  },
);

test("without the layers no engine is found, so it is they that were used", async () => {
  const said = await convert(taskOf("sample.png", "png", "jpg"), {});
  expect(said).toMatchObject({ error: { cause: expect.stringContaining("Cannot find module 'sharp'") } });
});
