import { createReadStream, createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { writeZip } from "../../archives/zip/writer.ts";
import type { EngineResult, EngineTask, Part } from "../../core/engine.ts";
import type { Laid } from "./write.ts";

/** Turns the files that GDAL wrote into the requested result. */
export const finish = async (laid: readonly Laid[], task: EngineTask): Promise<EngineResult> => {
  const losses = laid.filter(({ dropped }) => dropped > 0).map(({ dropped, name }) => lost(dropped, name));
  if (task.to === "shp") {
    await zipShapefiles(laid, task);
    return { warnings: losses };
  }
  const parts: Part[] = [];
  for (const { file, name, features } of laid) {
    const path = join(task.folder, file);
    const lines = task.to.startsWith("geojson")
      ? await collect(path, task.to === "geojson" ? name : undefined)
      : features;
    if (lines < features) {
      losses.push(lost(features - lines, name));
    }
    parts.push({ path: task.to === "geojson" ? `${path}.geojson` : path, name: fileName(name) });
  }
  return { parts, warnings: losses };
};

const lost = (features: number, name: string): Warning => ({
  code: "features_dropped",
  detail: `${features} features of “${name}” cannot be represented in this format and were removed.`,
});

/**
 * Counts the features of a file with one feature per line, and, when given a name, writes them as one collection (RFC
 * 7946, section 3.3).
 */
const collect = async (path: string, name: string | undefined): Promise<number> => {
  let features = 0;
  const text = async function* () {
    yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[\n`;
    let between = "";
    for await (const chunk of createReadStream(path, { encoding: "latin1" })) {
      const lines: string = between + chunk;
      between = lines.endsWith("\n") ? "\n" : "";
      const complete = between === "" ? lines : lines.slice(0, -1);
      const parts = complete.split("\n");
      features += parts.length - 1;
      // Latin-1 maps each byte to one character, so no character is cut at a chunk boundary.
      yield Buffer.from(parts.join(",\n"), "latin1");
    }
    features += between === "" ? 0 : 1;
    yield "\n]}\n";
  };
  if (name === undefined) {
    for await (const _ of text()) {
      // Only counting.
    }
  } else {
    await pipeline(text, createWriteStream(`${path}.geojson`));
  }
  return features;
};

/** Zips the parts of each shapefile, which share a name. */
const zipShapefiles = async (laid: readonly Laid[], { folder, output }: EngineTask): Promise<void> => {
  if (laid.length === 0) {
    throw new JobError("unsupported_feature", "The file has no geometries that a shapefile can store.");
  }
  const present = await readdir(folder);
  const taken = new Set<string>();
  const members = laid.flatMap(({ file, name }, index) => {
    const plain = fileName(name);
    const stem = taken.has(plain.toLowerCase()) ? `${plain}-${index + 1}` : plain;
    taken.add(stem.toLowerCase());
    const beginning = file.slice(0, -"shp".length);
    return present
      .filter((part) => part.startsWith(beginning))
      .map((part) => ({ path: `${stem}.${part.slice(beginning.length)}`, file: join(folder, part) }));
  });
  await writeZip(output, members);
};

/** @returns the name without characters that file systems do not allow */
const fileName = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are to be removed
  name.replaceAll(/[\u0000-\u001f"*/:<>?\\|]/g, "_").slice(0, 100) || "layer";
