import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { engineOf } from "../../../functions/domain/engines.ts";
import { extensionOf, type FormatId } from "../../../functions/domain/formats.ts";
import type { Options } from "../../../functions/domain/options.ts";
import { planRoutes } from "../../../functions/domain/routes.ts";
import { type ConversionResult, convert } from "../../../functions/engines/convert.ts";
import type { EngineResult, EngineTask } from "../../../functions/engines/engine.ts";
import { engines } from "../../../functions/engines/index.ts";
import { installedEngines } from "../../../local/engines.ts";
import type { Scratch } from "./scratch.ts";

/** @returns the task with a folder of its own beside its output, and what else an engine is given */
export const taskOf = (
  task: Pick<EngineTask, "input" | "output" | "from" | "to"> & Partial<EngineTask>,
  place = dirname(task.input),
): EngineTask => ({
  further: [],
  options: {},
  progress: () => {},
  folder: mkdtempSync(join(place, "step-")),
  ...task,
});

/** What an engine made of a file: the path of its output, and what it says of it. */
export type Made = EngineResult & { readonly path: string; readonly codes: readonly string[] };

/** @returns a function that converts by one engine, in this process */
export const convertingBy =
  (engine: keyof typeof engines, scratch: Scratch) =>
  async (input: string, [from, to]: readonly [FormatId, FormatId], options: Options = {}): Promise<Made> => {
    const path = `${scratch.fresh()}.${extensionOf(to)}`;
    const { convert: run } = await engines[engine]();
    const result = await run(taskOf({ input, output: path, from, to, options }, scratch.folder));
    return { ...result, path, codes: result.warnings.map(({ code }) => code) };
  };

const routes = planRoutes(new Set(installedEngines().keys()));

/** @returns a function that converts by the best route there is, in this process */
export const convertingByRoute =
  (scratch: Scratch) =>
  async (
    input: string,
    [from, to]: readonly [FormatId, FormatId],
    options: Options = {},
  ): Promise<ConversionResult> => {
    const route = routes.find(from, to);
    if (route === undefined) {
      throw new Error(`There is no route from ${from} to ${to}: an engine may not be installed.`);
    }
    return convert({ input, folder: mkdtempSync(join(scratch.folder, "job-")), steps: route.steps, options }, () => {});
  };

/** @returns whether the engine is installed here; in CI all are */
export const isInstalled = (engine: keyof typeof engines): boolean =>
  engineOf(engine) !== undefined && installedEngines().has(engine);
