import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PARTS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { readZip, type ZipDocument } from "../../archives/zip/reader.ts";
import type { EngineTask } from "../../core/engine.ts";
import { encodingOf } from "../../data/text/text.ts";

const FOLDER = "shapefiles";

/** The relevant parts of a shapefile: shapes, their index, attributes, coordinate system, encoding. */
const PARTS = ["shp", "shx", "dbf", "prj", "cpg"] as const;

/**
 * Unpacks only the shapefiles of a zip, each under its name; a plain `.shp` is copied unchanged.
 *
 * @returns the folder's name in the step's folder
 * @throws JobError as `readZip` does
 */
export const unpackShapefile = async (
  task: EngineTask,
  zipped: boolean,
): Promise<{ folder: string; warnings: Warning[] }> => {
  const folder = join(task.folder, FOLDER);
  await mkdir(folder);
  if (!zipped) {
    await copyFile(task.input, join(folder, "layer.shp"));
    return { folder: FOLDER, warnings: [without("attributes", "layer")] };
  }
  const warnings = await readZip(task.input, async (zip) => {
    const found: Warning[] = [];
    for (const [stem, members] of shapefilesIn(zip)) {
      found.push(...(await unpack(zip, { members, path: join(folder, stem), stem, encoding: task.options.encoding })));
    }
    return found;
  });
  return { folder: FOLDER, warnings };
};

const without = (what: "attributes", stem: string): Warning => ({
  code: "attributes_missing",
  detail: `The shapefile “${stem}” has no .dbf file, so its features have no ${what}.`,
});

/** @returns a unique name for each shapefile, and the paths of its parts by extension */
const shapefilesIn = (zip: ZipDocument): Map<string, Map<string, string>> => {
  const byStem = Map.groupBy(
    zip.paths.filter((path) => !path.startsWith("__MACOSX/")),
    (path) => path.slice(0, -4).toLowerCase(),
  );
  const found = new Map<string, Map<string, string>>();
  for (const paths of byStem.values()) {
    const members = new Map(paths.map((path) => [path.slice(-3).toLowerCase(), path]));
    const shapes = members.get("shp");
    if (shapes !== undefined && shapes.at(-4) === ".") {
      const stem = safeName(shapes);
      found.set(found.has(stem) ? `${stem}-${found.size + 1}` : stem, members);
    }
  }
  if (found.size > PARTS_MAX) {
    throw new JobError("archive_unsafe", `The zip contains ${found.size} shapefiles; the limit is ${PARTS_MAX}.`);
  }
  return found;
};

const NAME_CHARACTERS_MAX = 60;

const safeName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? "")
    .slice(0, -4)
    .replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, "_")
    .replace(/^[.\- ]+/, "")
    .slice(0, NAME_CHARACTERS_MAX) || "layer";

interface Unpacking {
  readonly members: ReadonlyMap<string, string>;
  readonly path: string;
  readonly stem: string;
  readonly encoding: string | undefined;
}

const unpack = async (zip: ZipDocument, { members, path, stem, encoding }: Unpacking): Promise<Warning[]> => {
  let detected = encoding;
  for (const part of PARTS) {
    const bytes = await zip.read(members.get(part) ?? "");
    if (bytes !== undefined) {
      await writeFile(`${path}.${part}`, bytes);
    }
    if (part === "dbf" && bytes !== undefined && !members.has("cpg")) {
      detected ??= encodingOfTable(bytes);
    }
  }
  if (detected !== undefined) {
    // GDAL's encoding converter knows only uppercase names.
    await writeFile(`${path}.cpg`, detected.toUpperCase());
  }
  return members.has("dbf") ? [] : [without("attributes", stem)];
};

const LANGUAGE_BYTE = 29;

/** @returns the encoding of a table that does not declare one; undefined when GDAL knows it from the language byte */
const encodingOfTable = (dbf: Buffer): string | undefined => {
  const rows = dbf.subarray(dbf.length < 32 ? 0 : dbf.readUInt16LE(8));
  const encoding = encodingOf(rows);
  // Tables never use UTF-16: null bytes that suggest it are from numbers.
  const plain = encoding.startsWith("utf-16") ? "windows-1252" : encoding;
  return plain === "utf-8" || (dbf[LANGUAGE_BYTE] ?? 0) === 0 ? plain : undefined;
};
