import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { engineOf } from "../../../functions/domain/conversions/engines.ts";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { extensionOf, type FormatId } from "../../../functions/domain/formats/formats.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import type { EngineResult, EngineTask } from "../../../functions/engines/core/engine.ts";
import type { ConversionResult } from "../../../functions/engines/core/task.ts";
import { engines } from "../../../functions/engines/index.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import type { Scratch } from "./scratch.ts";

/** @returns the task with a folder next to its output, and the other inputs of an engine */
export const taskOf = (
  task: Pick<EngineTask, "input" | "output" | "from" | "to"> & Partial<EngineTask>,
  place = dirname(task.input),
): EngineTask => ({
  further: [],
  optionFiles: {},
  options: {},
  progress: () => {},
  folder: mkdtempSync(join(place, "step-")),
  ...task,
});

/** The output of an engine for a file: the path, and the warnings. */
export type Made = EngineResult & { readonly path: string; readonly codes: readonly string[] };

/** @returns a function that converts with one engine, in this process */
export const convertingBy =
  (engine: keyof typeof engines, scratch: Scratch) =>
  async (
    input: string,
    [from, to]: readonly [FormatId, FormatId],
    options: Options = {},
    helper?: EngineTask["helper"],
  ): Promise<Made> => {
    const path = `${scratch.fresh()}.${extensionOf(to)}`;
    const { convert: run } = await engines[engine]();
    const result = await run(
      taskOf({ input, output: path, from, to, options, ...(helper && { helper }) }, scratch.folder),
    );
    return { ...result, path, codes: result.warnings.map(({ code }) => code) };
  };

const routes = planRoutes(new Set(installedEngines().keys()));

/** @returns a function that converts by the best route, in this process */
export const convertingByRoute =
  (scratch: Scratch) =>
  async (
    input: string,
    [from, to]: readonly [FormatId, FormatId],
    options: Options = {},
  ): Promise<ConversionResult> => {
    const route = routes.find(from, to);
    if (route === undefined) {
      throw new Error(`No route from ${from} to ${to}: an engine may not be installed.`);
    }
    return convert({ input, folder: mkdtempSync(join(scratch.folder, "job-")), steps: route.steps, options }, () => {});
  };

/** @returns whether the engine is installed; in CI all are */
export const isInstalled = (engine: keyof typeof engines): boolean =>
  engineOf(engine) !== undefined && installedEngines().has(engine);
