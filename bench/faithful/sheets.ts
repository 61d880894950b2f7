import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import type { Reading } from "./read/reading.ts";
import { run } from "./tools.ts";

/** Pictures of source and result side by side, for people. */

const TILE = 620;
const PAGES_MAX = 3;

/** Writes `NAME.png`: the first pages or frames of the source in the upper row, those of the result in the lower one. */
export const writeSheet = async (
  { source, result, name }: { readonly source: Reading; readonly result: Reading; readonly name: string },
  folder: string,
): Promise<void> => {
  const scratch = await mkdtemp(join(tmpdir(), "anyform-sheet-"));
  try {
    const rows = [await pagesOf(source, join(scratch, "source")), await pagesOf(result, join(scratch, "result"))];
    const columns = Math.max(...rows.map((row) => row.length));
    if (columns > 0) {
      await mkdir(folder, { recursive: true });
      await drawn(rows, columns).then((sheet) => sheet.toFile(join(folder, `${fileName(name)}.png`)));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}.-]+/gu, "_");

const pagesOf = async ({ pdf, pictures = [] }: Reading, folder: string): Promise<string[]> => {
  if (pdf === undefined) {
    return pictures.slice(0, PAGES_MAX);
  }
  await mkdir(folder, { recursive: true });
  await run("pdftoppm", [
    ...["-png", "-cropbox", "-scale-to", String(TILE), "-l", String(PAGES_MAX)],
    pdf,
    join(folder, "p"),
  ]);
  return (await readdir(folder)).sort().map((name) => join(folder, name));
};

/** A gray ground shows where a picture ends and where it is transparent. */
const drawn = async (rows: readonly (readonly string[])[], columns: number): Promise<Sharp> => {
  const background = "#b0b8c0";
  const tiles = rows.flatMap((row, top) =>
    row.map(async (path, left) => ({
      input: await sharp(path, { limitInputPixels: 2 ** 28 })
        .resize(TILE - 8, TILE - 8, { fit: "inside" })
        .toColorspace("srgb")
        .png()
        .toBuffer(),
      left: left * TILE + 4,
      top: top * TILE + 4,
    })),
  );
  const create = { width: columns * TILE, height: rows.length * TILE, channels: 3, background } as const;
  return sharp({ create }).composite(await Promise.all(tiles));
};
