import { createRequire } from "node:module";
import { JobError } from "../domain/errors.ts";
import { formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { finish } from "./gdal/finish.ts";
import { chosenLayers, type Layer, layersOf, looksLikeDegrees } from "./gdal/layers.ts";
import { type Gdal, loadGdal } from "./gdal/module.ts";
import { type Source, sourceOf } from "./gdal/sources.ts";
import { type Target, targets } from "./gdal/targets.ts";
import { type Laid, writeLayers } from "./gdal/write.ts";

/**
 * Layers of features by GDAL as WebAssembly: GeoJSON, Shapefile, GeoPackage, FlatGeobuf, and GML to read. It sees one
 * folder, opens a file by the driver of its format alone, and has no network in it.
 */
export const gdalEngine: Engine = {
  name: "gdal",
  version: async () => {
    const { version }: { version: string } = createRequire(import.meta.url)("gdal3.js/package.json");
    return version;
  },
  convert: async (task) => {
    const gdal = await loadGdal();
    const source = await sourceOf(task);
    task.progress(0.1);
    gdal.said();
    const { laid, warnings } = gdal.inFolder(task.folder, () => layOut(gdal, source, task));
    task.progress(0.9);
    const result = await finish(laid, task);
    return { ...result, warnings: [...source.warnings, ...warnings, ...result.warnings] };
  },
};

/** Opens the source, and writes its layers into the step's folder. */
const layOut = (gdal: Gdal, source: Source, task: EngineTask): { laid: Laid[]; warnings: Warning[] } => {
  const target = targetOf(task);
  const dataset = gdal.open(source.path, source.drivers, source.options);
  if (dataset === 0) {
    throw refusal(gdal.said(), task, "could not be read");
  }
  try {
    const all = layersOf(gdal, dataset);
    const said = gdal.said();
    // Of a file that breaks off, it reads what there is, and says so in passing.
    if (all.length === 0 || said.some(isError)) {
      throw all.length === 0 && task.from === "gpkg" ? noFeatures() : refusal(said, task, "could not be read");
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
      fail: () => refusal(gdal.said(), task, "could not be converted"),
    });
    const told = gdal.said();
    if (told.some(isError)) {
      throw refusal(told, task, "could not be converted");
    }
    return { laid, warnings: [...assumed.map(assumption), ...shortenings(told)] };
  } finally {
    gdal.close(dataset);
  }
};

const targetOf = ({ from, to }: EngineTask): Target => {
  const target = targets[to];
  if (target === undefined) {
    throw new TypeError(`GDAL does not turn ${from} into ${to} here.`);
  }
  return target;
};

const checkDegrees = (unknown: readonly Layer[]): void => {
  const lost = unknown.find((layer) => !looksLikeDegrees(layer));
  if (lost !== undefined) {
    throw new JobError(
      "unsupported_feature",
      `The layer “${lost.name}” does not say its coordinate system, and its coordinates are no degrees.`,
    );
  }
};

const assumption = ({ name }: Layer): Warning => ({
  code: "crs_assumed",
  detail: `The layer “${name}” does not say its coordinate system; its coordinates were taken for WGS 84 degrees.`,
});

const NAMES_SHOWN_MAX = 20;

/** @returns what GDAL says of names and texts that were too long for a shapefile */
const shortenings = (lines: readonly string[]): Warning[] => {
  const found = (pattern: RegExp) => [...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))];
  const names = found(/Normalized\/laundered field name: ('.*' to '.*')/);
  const values = found(/Value '.*' of field (\S+) has been truncated/);
  const list = (all: string[]) => all.slice(0, NAMES_SHOWN_MAX).join(", ");
  return [
    ...(names.length > 0
      ? [{ code: "names_shortened", detail: `Names of fields have ten letters at most here: ${list(names)}.` }]
      : []),
    ...(values.length > 0
      ? [{ code: "values_shortened", detail: `Texts have 254 bytes at most here; some were cut in: ${list(values)}.` }]
      : []),
  ];
};

const isError = (line: string): boolean => line.startsWith("ERROR");

const noFeatures = (): JobError =>
  new JobError("unsupported_feature", "The GeoPackage has no layer of features; its pictures are not converted.");

/** @returns the error for what GDAL has said, without the paths that are ours */
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
