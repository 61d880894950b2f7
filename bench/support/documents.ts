import { execFileSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";

/** Inputs of the benchmark other than images, generated so that all runs are comparable. */

const PAGES = 14;
const LINES = 55;

/** Creates a PDF of 14 A4 pages of dense text, with an image on every second page. */
export const makePdf = async (folder: string, photo: string): Promise<string> => {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const picture = await document.embedJpg(await readFile(photo));
  for (let number = 1; number <= PAGES; number += 1) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < LINES; line += 1) {
      const text = `${number}.${line} The harbor report covers ropes, sails and lanterns, and of who cast off when.`;
      page.drawText(text.repeat(2).slice(0, 105), { x: 40, y: 800 - line * 14, size: 10, font });
    }
    if (number % 2 === 0) {
      page.drawImage(picture, { x: 60, y: 60, width: 240, height: 180 });
    }
  }
  const path = join(folder, "pages.pdf");
  await writeFile(path, await document.save());
  return path;
};

/** Default size of the table in bytes. */
const TABLE_BYTES = 200_000_000;

/** Creates a CSV file, 200 MB by default: ten columns with numbers, times, quoted text and empty cells. */
export const makeCsv = async (folder: string, bytes = TABLE_BYTES): Promise<string> => {
  const path = join(folder, "table.csv");
  await pipeline(Readable.from(blocks(bytes)), createWriteStream(path));
  return path;
};

const blocks = function* (bytesMax: number): Generator<string> {
  yield "id,name,country,crew,weight,lat,lon,sailed,remark,code\n";
  let row = 0;
  for (let bytes = 0; bytes < bytesMax; ) {
    const lines: string[] = [];
    for (let index = 0; index < 5_000; index += 1) {
      row += 1;
      const [day, crew] = [String(1 + (row % 28)).padStart(2, "0"), row % 97];
      const remark = row % 3 === 0 ? '"ropes, sails and ""lanterns"""' : row % 7 === 0 ? "" : "all well on board";
      lines.push(
        `${row},Ship ${row},Perú,${crew},${(row * 1.37).toFixed(2)},${(row % 90) + 0.125},${(row % 180) + 0.5},` +
          `2025-06-${day} 09:30:00,${remark},${String(row % 10_000).padStart(5, "0")}\n`,
      );
    }
    const block = lines.join("");
    bytes += block.length;
    yield block;
  }
};

/** Creates a HEIC of the photo. @returns undefined if `heif-enc` is not installed */
export const makeHeic = (folder: string, photo: string): string | undefined => {
  const path = join(folder, "photo.heic");
  try {
    execFileSync("heif-enc", ["-q", "60", photo, "-o", path], { stdio: "ignore" });
    return path;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
};
