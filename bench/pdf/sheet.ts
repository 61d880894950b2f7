import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { run } from "./tools.ts";

/** A picture of source pages, each followed by the same page of the results. */

/** One row of pictures: the label, and the PDFs whose first page is shown. */
export interface SheetRow {
  readonly label: string;
  readonly pdfs: readonly string[];
}

const [WIDTH, HEIGHT, LABEL] = [300, 390, 18];
const ROWS_MAX = 60;
const ACROSS = 3;

/** Writes the sheet as a PNG: several documents next to each other in each line. */
export const writeSheet = async (rows: readonly SheetRow[], path: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-sheet-"));
  try {
    const shown = rows.slice(0, ROWS_MAX);
    const perRow = Math.max(1, ...shown.map(({ pdfs }) => pdfs.length));
    const tiles = [];
    for (const [index, { label, pdfs }] of shown.entries()) {
      const [left, top] = [(index % ACROSS) * perRow * WIDTH, Math.floor(index / ACROSS) * (HEIGHT + LABEL)];
      tiles.push({ input: labelPicture(label), left, top });
      for (const [column, pdf] of pdfs.entries()) {
        const input = await firstPage(pdf, join(folder, `${index}-${column}`));
        tiles.push({ input, left: left + column * WIDTH, top: top + LABEL });
      }
    }
    const [width, height] = [ACROSS * perRow * WIDTH, Math.ceil(shown.length / ACROSS) * (HEIGHT + LABEL)];
    const sheet = sharp({ create: { width, height, channels: 3, background: "#bbbbbb" } });
    await sheet.composite(tiles).png().toFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const labelPicture = (label: string): Buffer =>
  Buffer.from(`<svg width="${WIDTH}" height="${LABEL}"><text x="4" y="13" font-size="12">${label}</text></svg>`);

const firstPage = async (pdf: string, folder: string): Promise<Buffer> => {
  await mkdir(folder);
  await run("pdftoppm", ["-cropbox", "-r", "60", "-l", "1", "-singlefile", "-png", pdf, join(folder, "page")]);
  const page = sharp(join(folder, "page.png")).flatten({ background: "white" });
  return page
    .resize(WIDTH - 4, HEIGHT - 4, { fit: "contain", background: "#bbbbbb" })
    .png()
    .toBuffer();
};
