import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFName, PDFNumber, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import type { Sharp } from "sharp";
import type { Options } from "../../../domain/conversions/options.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { writeDraft } from "../edit/draft.ts";
import type { PaperImage } from "./image.ts";
import { type Found, hasPredictors, type Images, imagesOf } from "./images.ts";
import { inputPart, writingPart } from "./job.ts";
import { jpegQuality } from "./jpeg-quality.ts";
import { runQpdf } from "./program.ts";
import { removeSurplus } from "./surplus.ts";

/** Resolution and JPEG quality of images. */
interface Step {
  readonly dpi: number;
  readonly quality: number;
}

const PRESETS: Readonly<Record<NonNullable<Options["compress"]>, Step>> = {
  print: { dpi: 220, quality: 85 },
  ebook: { dpi: 150, quality: 75 },
  screen: { dpi: 96, quality: 55 },
};

/** From the least loss to the most. */
const LADDER: readonly Step[] = [
  { dpi: 300, quality: 90 },
  { dpi: 220, quality: 85 },
  { dpi: 170, quality: 80 },
  { dpi: 150, quality: 75 },
  { dpi: 120, quality: 65 },
  { dpi: 96, quality: 55 },
  { dpi: 72, quality: 45 },
  { dpi: 50, quality: 35 },
];

/**
 * A PDF with recompressed images.
 *
 * - `path`: the PDF as pdf-lib wrote it
 * - `final`: the same as qpdf writes it in the end, if that was needed to know its size
 */
export interface Shrunk {
  readonly path: string;
  readonly final?: string;
  /** Whether images remain that qpdf would compress worse. */
  readonly hasPredictors: boolean;
  readonly warnings: readonly Warning[];
}

/** @returns a copy of the PDF whose images have the resolution and quality of the preset, or fit the size */
export const shrunk = async (task: EngineTask, pages: number): Promise<Shrunk> => {
  const { compress = "ebook", target_size } = task.options;
  const found = await imagesOf(task);
  if (compress !== "print") {
    removeSurplus(found.document);
  }
  const made =
    target_size === undefined
      ? { path: await written(task, found, PRESETS[compress], "shrunk"), warnings: [] }
      : await fitting(task, found, { bytesMax: target_size, pages });
  return {
    ...made,
    hasPredictors: hasPredictors(found.document),
    warnings: [...made.warnings, ...unsupportedWarning(found.unsupported)],
  };
};

const unsupportedWarning = (count: number): Warning[] =>
  count === 0
    ? []
    : [
        {
          code: "images_unchanged",
          detail: `Images in JPEG 2000 or with CMYK colors that could not be recompressed: ${count}.`,
        },
      ];

/** @returns the PDF of the first step of the ladder that fits, found by bisection; the smallest if none does */
const fitting = async (
  task: EngineTask,
  images: Images,
  { bytesMax, pages }: { readonly bytesMax: number; readonly pages: number },
): Promise<Omit<Shrunk, "hasPredictors">> => {
  let [fits, tooLarge] = [LADDER.length, -1];
  let best: Pick<Shrunk, "path" | "final"> | undefined;
  while (fits - tooLarge > 1) {
    const middle = Math.floor((fits + tooLarge) / 2);
    const path = await written(task, images, LADDER[middle] ?? PRESETS.screen, `shrunk-${middle}`);
    const final = await finalOf(task, path, hasPredictors(images.document));
    const isSmall = (await stat(final)).size <= bytesMax;
    [fits, tooLarge] = isSmall ? [middle, tooLarge] : [fits, middle];
    // Each step is smaller than the ones before it. The last one is tried only if no other fits.
    best = isSmall || middle === LADDER.length - 1 ? { path, final } : best;
    task.progress(0.2 + 0.7 * (1 - (fits - tooLarge) / (LADDER.length + 1)));
  }
  if (best === undefined) {
    throw new TypeError("The bisection ends at a step that fits, or at the last one.");
  }
  return { ...best, warnings: fits === LADDER.length ? [missedWarning(bytesMax, pages)] : [] };
};

const missedWarning = (size: number, pages: number): Warning => ({
  code: "target_size_missed",
  detail: `The ${pages === 1 ? "page" : `${pages} pages`} cannot be compressed to ${size} bytes; the result is the smallest.`,
});

/** Images that are encoded at the same time; each takes one thread, and its pixels are in memory. */
const AT_A_TIME = Math.min(4, availableParallelism());
/** An image stays as it is if less than this share is saved. */
const SAVED_MIN = 0.1;
/** Images of little more than the wanted resolution keep their size: resampling would blur them for nothing. */
const FINER_MIN = 1.2;

/** Writes the document with each image at the resolution and quality, or as it was. @returns the path */
const written = async (task: EngineTask, { document, images }: Images, step: Step, name: string): Promise<string> => {
  const waiting = images.values();
  const next = async (): Promise<void> => {
    for (const found of waiting) {
      document.context.assign(found.ref, (await recompressed(found, step)) ?? found.stream);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
  const path = join(task.folder, `${name}.pdf`);
  await writeDraft(document, path);
  return path;
};

/** @returns the smaller image; undefined if it would not be, or the image is damaged, as viewers show what they can of it */
const recompressed = async (found: Found, step: Step): Promise<PDFRawStream | undefined> => {
  const isFine = found.dpi > step.dpi * FINER_MIN;
  if (!isFine && !canWin(found, step)) {
    return undefined;
  }
  const { width, stream } = found;
  try {
    const size = isFine ? Math.max(1, Math.round((width * step.dpi) / found.dpi)) : width;
    const made = found.kind === "mask" ? await smallMask(found, size) : await smallJpeg(found, size, step.quality);
    return made && made.contents.length < stream.contents.length * (1 - SAVED_MIN) ? made : undefined;
  } catch {
    return undefined;
  }
};

/** @returns whether an image can become smaller without resampling: a JPEG of the same or a lower quality cannot */
const canWin = ({ kind, image }: Found, { quality }: Step): boolean => {
  const current = image.jpeg === undefined ? undefined : jpegQuality(image.jpeg);
  return kind === "image" && (current === undefined || current > quality);
};

const smallJpeg = async ({ image, stream, width }: Found, size: number, quality: number) => {
  const picture = size < width ? image.open().resize({ width: size }) : image.open();
  const { data, info } = await inColors(picture, image.channels)
    .jpeg({ quality, mozjpeg: true })
    .toBuffer({ resolveWithObject: true });
  return info.channels === image.channels
    ? replaced(stream, data, { ...info, ColorSpace: image.colors, Filter: PDFName.of("DCTDecode") })
    : undefined;
};

const inColors = (picture: Sharp, channels: PaperImage["channels"]): Sharp =>
  channels === 4
    ? picture.pipelineColourspace("cmyk").toColourspace("cmyk")
    : picture.toColourspace(channels === 1 ? "b-w" : "srgb");

/** The edge of a mask stays sharp: it is compressed without loss. */
const smallMask = async ({ image, stream }: Found, size: number): Promise<PDFRawStream> => {
  const mask = inColors(image.open().resize({ width: size }), 1);
  const { data, info } = await mask.raw().toBuffer({ resolveWithObject: true });
  const Filter = PDFName.of("FlateDecode");
  return replaced(stream, deflateSync(data, { level: 9 }), { ...info, ColorSpace: image.colors, Filter });
};

interface Written {
  readonly width: number;
  readonly height: number;
  readonly ColorSpace: PDFObject;
  readonly Filter: PDFName;
}

const replaced = (stream: PDFRawStream, data: Uint8Array, { width, height, ColorSpace, Filter }: Written) => {
  const dict = stream.dict.clone();
  dict.delete(PDFName.of("DecodeParms"));
  const values = { Filter, ColorSpace, Width: number(width), Height: number(height), BitsPerComponent: number(8) };
  for (const [key, value] of Object.entries(values)) {
    dict.set(PDFName.of(key), value);
  }
  return PDFRawStream.of(dict, data);
};

const number = (value: number): PDFNumber => PDFNumber.of(value);

/** Writes the file as it is written in the end. @returns its path */
const finalOf = async (task: EngineTask, path: string, hasPredictors: boolean): Promise<string> => {
  const outputFile = `${path}.final`;
  await runQpdf({ ...inputPart(path, {}), ...writingPart(task.options, { hasPredictors }), outputFile }, task.folder);
  return outputFile;
};
