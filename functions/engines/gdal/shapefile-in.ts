import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PARTS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import { encodingOf } from "../io/text.ts";
import { readZip, type ZipDocument } from "../io/zip-reader.ts";

const FOLDER = "shapefiles";

/** What belongs to a shapefile and means something: shapes, their index, attributes, coordinates, encoding. */
const PARTS = ["shp", "shx", "dbf", "prj", "cpg"] as const;

/**
 * Unpacks the shapefiles of a zip, each under its own name, and nothing else; a bare `.shp` is taken as it is.
 *
 * @returns the folder's name, below the step's own
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
    const said: Warning[] = [];
    for (const [stem, members] of shapefilesIn(zip)) {
      said.push(...(await unpack(zip, { members, place: join(folder, stem), stem, encoding: task.options.encoding })));
    }
    return said;
  });
  return { folder: FOLDER, warnings };
};

const without = (what: "attributes", stem: string): Warning => ({
  code: "attributes_missing",
  detail: `The shapefile “${stem}” came without its .dbf, so its features have no ${what}.`,
});

/** @returns for each shapefile a name that no other has, and the paths of its parts by extension */
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
    throw new JobError("archive_unsafe", `The zip has ${found.size} shapefiles; at most ${PARTS_MAX} are allowed.`);
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
  readonly place: string;
  readonly stem: string;
  readonly encoding: string | undefined;
}

const unpack = async (zip: ZipDocument, { members, place, stem, encoding }: Unpacking): Promise<Warning[]> => {
  let told = encoding;
  for (const part of PARTS) {
    const bytes = await zip.read(members.get(part) ?? "");
    if (bytes !== undefined) {
      await writeFile(`${place}.${part}`, bytes);
    }
    if (part === "dbf" && bytes !== undefined && !members.has("cpg")) {
      told ??= encodingOfTable(bytes);
    }
  }
  if (told !== undefined) {
    // Its converter of encodings knows them by capitals only.
    await writeFile(`${place}.cpg`, told.toUpperCase());
  }
  return members.has("dbf") ? [] : [without("attributes", stem)];
};

const LANGUAGE_BYTE = 29;

/** @returns the encoding of a table that does not name one; undefined when GDAL knows it from the language byte */
const encodingOfTable = (dbf: Buffer): string | undefined => {
  const rows = dbf.subarray(dbf.length < 32 ? 0 : dbf.readUInt16LE(8));
  const encoding = encodingOf(rows);
  // UTF-16 is never in a table: what looks like it are the zeros of numbers.
  const plain = encoding.startsWith("utf-16") ? "windows-1252" : encoding;
  return plain === "utf-8" || (dbf[LANGUAGE_BYTE] ?? 0) === 0 ? plain : undefined;
};
