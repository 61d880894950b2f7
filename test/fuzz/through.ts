import { readFileSync } from "node:fs";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { Engine } from "../../functions/engines/core/engine.ts";
import { readFeatures } from "../../functions/engines/maps/geojson/geojson.ts";
import { taskOf } from "../engines/support/task.ts";
import { broken, type Workspace } from "./parser.ts";

/** @returns a function that has an engine convert an input, and ignores the output */
export const through =
  (engine: Engine, from: FormatId, to: FormatId) =>
  async (input: Buffer, workspace: Workspace): Promise<void> => {
    const task = { input: workspace.file(input), output: workspace.fresh(), from, to };
    await engine.convert(taskOf(task, workspace.folder()));
  };

/** @returns the output of an engine for an input */
export const converted = async (
  engine: Engine,
  input: Buffer,
  [from, to]: readonly [FormatId, FormatId],
  workspace: Workspace,
): Promise<Buffer> => {
  const output = workspace.fresh();
  await engine.convert(taskOf({ input: workspace.file(input), output, from, to }, workspace.folder()));
  return readFileSync(output);
};

/** The output is a valid map: its geometries are those of GeoJSON, and its positions are numbers. */
export const toMap =
  (engine: Engine, from: FormatId) =>
  async (input: Buffer, workspace: Workspace): Promise<void> => {
    const made = await converted(engine, input, [from, "geojson"], workspace);
    await readFeatures(workspace.file(made)).catch((cause: unknown) => {
      throw broken("The output is a valid map", [String(cause), made.toString().slice(0, 300)]);
    });
  };
