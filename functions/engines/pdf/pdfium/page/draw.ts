import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { PAGE_DPI } from "../../../../domain/conversions/by-engine/pdf/pdfium.ts";
import { QUALITY } from "../../../../domain/conversions/by-engine/pictures/qualities.ts";
import {
  PAGE_AVIF_LOSSLESS_PIXELS_MAX,
  PAGE_AVIF_PIXELS_MAX,
  PAGE_PIXELS_MAX,
  PAGE_WEBP_LOSSLESS_PIXELS_MAX,
} from "../../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../../domain/conversions/options.ts";
import { checkResult } from "../../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../../domain/errors.ts";
import { extensionOf, type FormatId, formatOf } from "../../../../domain/formats/formats.ts";
import type { EngineTask, Part } from "../../../core/engine.ts";
import { type Bitmap, paperOf, renderPage } from "./bitmap.ts";
import { type PdfDocument, type PdfPage, withPage } from "./document.ts";
import { pageName } from "./names.ts";

// Every page is used once, so a cache would only hold memory.
sharp.cache(false);

/** Rendered pages, each in a file of the folder; `missing` lists unreadable pages. */
export interface DrawnPages {
  readonly parts: readonly Part[];
  readonly missing: readonly number[];
}

/**
 * Renders pages and encodes them. While sharp encodes a page in its own thread, PDFium renders the next, so at most two
 * bitmaps are in memory.
 *
 * @throws JobError `too_many_pixels` before it renders a page that is too large
 */
export const drawPages = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<DrawnPages> => {
  // One thread encodes a file while the other core renders. Only AV1 takes longer than rendering and benefits from more
  // threads.
  sharp.concurrency(task.to === "avif" ? Math.min(AVIF_THREADS_MAX, availableParallelism()) : 1);
  const parts: Part[] = [];
  const missing: number[] = [];
  let encoding: Promise<unknown> = Promise.resolve();
  try {
    for (const number of numbers) {
      const bitmap = await withPage(document, number, (page) => draw(page, task));
      await encoding;
      if (bitmap === undefined) {
        missing.push(number);
        continue;
      }
      const name = pageName(number, document.pages);
      const path = join(task.folder, `${name}.${extensionOf(task.to)}`);
      encoding = encode(bitmap, task).toFile(path);
      parts.push({ path, name });
      task.progress(parts.length / numbers.length);
    }
  } finally {
    await encoding;
  }
  return { parts, missing };
};

const AVIF_THREADS_MAX = 4;

const POINTS_PER_INCH = 72;

const draw = (page: PdfPage, { to, options }: EngineTask): Bitmap => {
  const size = sizeOf(page, options);
  checkResult({ scaled: size, result: size, frames: 1, to, pixelsMax: pixelsMaxOf(to, options) });
  const alpha = formatOf(to).keeps.some((trait) => trait === "alpha");
  return renderPage(page, { ...size, paper: paperOf(options.background, alpha) });
};

/** @returns the size of the rendered page in pixels: from `dpi`, or scaled to fit `width` and `height` */
const sizeOf = (page: PdfPage, { dpi = PAGE_DPI, width, height }: Options) => {
  if (!(page.width > 0 && page.height > 0)) {
    throw new JobError("source_corrupt", `Page ${page.number} has no size.`);
  }
  const across = (width ?? Number.POSITIVE_INFINITY) / page.width;
  const down = (height ?? Number.POSITIVE_INFINITY) / page.height;
  const sized = width !== undefined || height !== undefined;
  const scale = sized ? Math.min(across, down) : dpi / POINTS_PER_INCH;
  const pixels = (points: number) => Math.max(1, Math.round(points * scale));
  return { width: pixels(page.width), height: pixels(page.height) };
};

const pixelsMaxOf = (to: FormatId, { lossless = false }: Options): number => {
  if (to === "avif") {
    return lossless ? PAGE_AVIF_LOSSLESS_PIXELS_MAX : PAGE_AVIF_PIXELS_MAX;
  }
  return to === "webp" && lossless ? PAGE_WEBP_LOSSLESS_PIXELS_MAX : PAGE_PIXELS_MAX;
};

const encode = ({ data, width, height, channels, dpi }: Bitmap, { to, options }: EngineTask): Sharp => {
  const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: PAGE_PIXELS_MAX });
  if (channels === 1) {
    picture.toColourspace("b-w");
  }
  return encoders[to]?.(picture, options, dpi) ?? unwritten(to);
};

const unwritten = (to: FormatId): never => {
  throw new TypeError(`pdfium does not render ${to}.`);
};

const MILLIMETERS_PER_INCH = 25.4;

/** Encoders for rendered pages. The settings were measured on pages of text at 150 dpi. */
const encoders: Readonly<Partial<Record<FormatId, (picture: Sharp, options: Options, dpi: number) => Sharp>>> = {
  // A page takes 17 ms at level 3, and 26 at the default 6, which saves 2.5%; level 1 is 20% larger. Adaptive filters double the time.
  png: (picture) => picture.png({ compressionLevel: 3 }),
  jpg: (picture, { quality = QUALITY.jpg }) => picture.jpeg({ quality }),
  webp: (picture, { quality = QUALITY.webp, lossless = false }) =>
    picture.webp(lossless ? { lossless } : { quality, effort: 2 }),
  avif: (picture, { quality = QUALITY.avif, lossless = false }) =>
    picture.avif(lossless ? { lossless, effort: 0 } : { quality, effort: 2, chromaSubsampling: "4:2:0", tune: "ssim" }),
  tiff: (picture, _, dpi) =>
    picture.tiff({
      compression: "lzw",
      predictor: "horizontal",
      xres: dpi / MILLIMETERS_PER_INCH,
      yres: dpi / MILLIMETERS_PER_INCH,
    }),
};
