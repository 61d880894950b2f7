import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineTask, packageVersion, rowFor } from "../core/engine.ts";
import { finish } from "./gdal/finish.ts";
import { chosenLayers, type Layer, layersOf, looksLikeDegrees } from "./gdal/layers.ts";
import { type Gdal, loadGdal } from "./gdal/module.ts";
import { type Source, sourceOf } from "./gdal/sources.ts";
import { targets } from "./gdal/targets.ts";
import { type Laid, writeLayers } from "./gdal/write.ts";

/**
 * Feature layers with GDAL as WebAssembly: GeoJSON, Shapefile, GeoPackage, FlatGeobuf, and GML (read only). It sees one
 * folder, opens a file only with the driver of its format, and has no network access.
 */
export const gdalEngine: Engine = {
  name: "gdal",
  version: async () => packageVersion("gdal3.js"),
  convert: async (task) => {
    const gdal = await loadGdal();
    const source = await sourceOf(task);
    task.progress(0.1);
    gdal.takeMessages();
    const { laid, warnings } = gdal.inFolder(task.folder, () => layOut(gdal, source, task));
    task.progress(0.9);
    const result = await finish(laid, task);
    return { ...result, warnings: [...source.warnings, ...warnings, ...result.warnings] };
  },
};

/** Opens the source and writes its layers to the step's folder. */
const layOut = (gdal: Gdal, source: Source, task: EngineTask): { laid: Laid[]; warnings: Warning[] } => {
  const target = rowFor(targets, task.to, "gdal");
  const dataset = gdal.open(source.path, source.drivers, source.options);
  if (dataset === 0) {
    throw refusal(gdal.takeMessages(), task, "could not be read");
  }
  try {
    const all = layersOf(gdal, dataset);
    const messages = gdal.takeMessages();
    // For a truncated file, it reads what there is and only logs an error.
    if (all.length === 0 || messages.some(isError)) {
      throw all.length === 0 && task.from === "gpkg" ? noFeatures() : refusal(messages, task, "could not be read");
    }
    const layers = chosenLayers(all, task.options.table);
    const unknown = layers.filter(({ extent, hasCrs }) => extent !== undefined && !hasCrs);
    if (target.inDegrees) {
      checkDegrees(unknown);
    }
    const assumed = unknown.filter(looksLikeDegrees);
    const laid = writeLayers({
      gdal,
      dataset,
      layers,
      target,
      assumed: new Set(assumed),
      fail: () => refusal(gdal.takeMessages(), task, "could not be converted"),
    });
    const reported = gdal.takeMessages();
    if (reported.some(isError)) {
      throw refusal(reported, task, "could not be converted");
    }
    return { laid, warnings: [...assumed.map(assumption), ...shortenings(reported)] };
  } finally {
    gdal.close(dataset);
  }
};

const checkDegrees = (unknown: readonly Layer[]): void => {
  const lost = unknown.find((layer) => !looksLikeDegrees(layer));
  if (lost !== undefined) {
    throw new JobError(
      "unsupported_feature",
      `The layer “${lost.name}” has no coordinate system, and its coordinates are not degrees.`,
    );
  }
};

const assumption = ({ name }: Layer): Warning => ({
  code: "crs_assumed",
  detail: `The layer “${name}” has no coordinate system; its coordinates were interpreted as WGS 84 degrees.`,
});

const NAMES_SHOWN_MAX = 20;

/** @returns warnings for names and texts that GDAL shortened to fit a shapefile */
const shortenings = (lines: readonly string[]): Warning[] => {
  const found = (pattern: RegExp) => [...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))];
  const names = found(/Normalized\/laundered field name: ('.*' to '.*')/);
  const values = found(/Value '.*' of field (\S+) has been truncated/);
  const list = (all: string[]) => all.slice(0, NAMES_SHOWN_MAX).join(", ");
  return [
    ...(names.length > 0
      ? [{ code: "names_shortened", detail: `Field names were shortened to ten characters: ${list(names)}.` }]
      : []),
    ...(values.length > 0
      ? [{ code: "values_shortened", detail: `Text values were truncated to 254 bytes in: ${list(values)}.` }]
      : []),
  ];
};

const isError = (line: string): boolean => line.startsWith("ERROR");

const noFeatures = (): JobError =>
  new JobError("unsupported_feature", "The GeoPackage has no feature layers; raster tiles are not supported.");

/** @returns the error for GDAL's messages, without our file paths */
const refusal = (lines: readonly string[], { from }: EngineTask, what: string): JobError => {
  const error = lines.find(isError) ?? "";
  const reason = error
    .replace(/^ERROR \d+: /, "")
    .replaceAll(/[`'"]?\/job\/[^\s'"`]*['"`]?/g, "the file")
    .replaceAll(/\s+/g, " ")
    .replace(/\.$/, "")
    .slice(0, 200);
  const code = /not (?:supported|implemented|handled)|unsupported/i.test(reason)
    ? "unsupported_feature"
    : "source_corrupt";
  const detail = `The ${formatOf(from).name} ${what}${reason && `: ${reason}`}.`;
  return new JobError(code, detail, { cause: lines.slice(0, 20).join("\n") });
};
