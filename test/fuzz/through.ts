import { readFileSync } from "node:fs";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { Engine } from "../../functions/engines/core/engine.ts";
import { readFeatures } from "../../functions/engines/maps/geojson/geojson.ts";
import { taskOf } from "../engines/support/task.ts";
import { broken, type Place } from "./parser.ts";

/** @returns what lets an engine convert an input, and looks no further at what comes of it */
export const through =
  (engine: Engine, from: FormatId, to: FormatId) =>
  async (input: Buffer, place: Place): Promise<void> => {
    const task = { input: place.file(input), output: place.fresh(), from, to };
    await engine.convert(taskOf(task, place.folder()));
  };

/** @returns the bytes of what an engine makes of an input */
export const converted = async (
  engine: Engine,
  input: Buffer,
  [from, to]: readonly [FormatId, FormatId],
  place: Place,
): Promise<Buffer> => {
  const output = place.fresh();
  await engine.convert(taskOf({ input: place.file(input), output, from, to }, place.folder()));
  return readFileSync(output);
};

/** What a map becomes is a map: its geometries are those of GeoJSON, and its positions are numbers. */
export const toMap =
  (engine: Engine, from: FormatId) =>
  async (input: Buffer, place: Place): Promise<void> => {
    const made = await converted(engine, input, [from, "geojson"], place);
    await readFeatures(place.file(made)).catch((cause: unknown) => {
      throw broken("A map is a map", [String(cause), made.toString().slice(0, 300)]);
    });
  };
