import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { run } from "../tools.ts";

/** Resolution of office scanners, and the angle in degrees by which paper is fed askew. */
const DPI = 200;
const SKEW = 0.8;
const QUALITY = 80;
/** Range of the noise of gray pixels, of 255. */
const NOISE = 40;

/** Writes a PDF with the pages of another one as pictures: skewed, with noise, without text. */
export const writeScan = async (source: string, path: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-scan-"));
  try {
    await run("pdftoppm", ["-r", String(DPI), "-gray", "-png", source, join(folder, "page")]);
    const document = await PDFDocument.create();
    for (const name of (await readdir(folder)).sort()) {
      const picture = await document.embedJpg(await scannedPage(join(folder, name)));
      const size: [number, number] = [(picture.width * 72) / DPI, (picture.height * 72) / DPI];
      document.addPage(size).drawImage(picture, { x: 0, y: 0, width: size[0], height: size[1] });
    }
    await writeFile(path, await document.save());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const scannedPage = async (path: string): Promise<Buffer> => {
  const { width = 1, height = 1 } = await sharp(await readFile(path)).metadata();
  const turned = sharp(path).rotate(SKEW, { background: "#fff" }).resize(width, height, { fit: "cover" });
  const { data, info } = await turned.grayscale().raw().toBuffer({ resolveWithObject: true });
  return sharp(withNoise(data), { raw: { width: info.width, height: info.height, channels: 1 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
};

/** Adds the same noise in each run. */
const withNoise = (pixels: Uint8Array): Uint8Array => {
  let seed = 1;
  return pixels.map((value) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.max(0, Math.min(255, value + (seed / 0x7fffffff - 0.5) * NOISE));
  });
};
