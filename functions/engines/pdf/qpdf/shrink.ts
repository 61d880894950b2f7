import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type PDFDocument, PDFName, PDFNumber, type PDFObject, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";
import type { Options } from "../../../domain/conversions/options.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { writeDraft } from "../edit/draft.ts";
import { openBook } from "../pdflib/book.ts";
import { imageOf, type PaperImage } from "./image.ts";
import { inputPart, writingPart } from "./job.ts";
import { runQpdf } from "./program.ts";
import { listImages } from "./resolutions.ts";
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
  return { ...made, warnings: [...made.warnings, ...unsupportedWarning(found.unsupported)] };
};

const unsupportedWarning = (count: number): Warning[] =>
  count === 0
    ? []
    : [
        {
          code: "images_unchanged",
          detail: `Images in JPEG 2000 or with CMYK colors were not recompressed: ${count}.`,
        },
      ];

/** @returns the PDF of the first step of the ladder that fits, found by bisection; the smallest if none does */
const fitting = async (
  task: EngineTask,
  images: Images,
  { bytesMax, pages }: { readonly bytesMax: number; readonly pages: number },
): Promise<Shrunk> => {
  let [fits, tooLarge] = [LADDER.length, -1];
  let best: Omit<Shrunk, "warnings"> | undefined;
  while (fits - tooLarge > 1) {
    const middle = Math.floor((fits + tooLarge) / 2);
    const path = await written(task, images, LADDER[middle] ?? PRESETS.screen, `shrunk-${middle}`);
    const final = await finalOf(task, path);
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

interface Found {
  readonly ref: PDFRef;
  readonly stream: PDFRawStream;
  readonly image: PaperImage;
  /** Dots per inch on the page. */
  readonly dpi: number;
}

interface Images {
  readonly document: PDFDocument;
  readonly images: readonly Found[];
  /** The number of images that are left alone because of their colors or coding. */
  readonly unsupported: number;
}

const imagesOf = async ({ input, folder }: EngineTask): Promise<Images> => {
  const { resolutions, unsupported } = await listImages(input, folder);
  const document = await openBook(input);
  const images = document.context.enumerateIndirectObjects().flatMap(([ref, stream]): Found[] => {
    const dpi = resolutions.get(`${ref.objectNumber} ${ref.generationNumber}`);
    const image = dpi !== undefined && stream instanceof PDFRawStream ? imageOf(stream) : undefined;
    return image && dpi !== undefined && stream instanceof PDFRawStream ? [{ ref, stream, image, dpi }] : [];
  });
  return { document, images, unsupported };
};

/** An image stays as it is if less than this share is saved. */
const SAVED_MIN = 0.1;
/** Images of little more than the wanted resolution keep their size: resampling would blur them for nothing. */
const FINER_MIN = 1.2;

/** Writes the document with each image at the resolution and quality, or as it was. @returns the path */
const written = async (task: EngineTask, { document, images }: Images, step: Step, name: string): Promise<string> => {
  for (const found of images) {
    const bytes = await recompressed(found.image, found.dpi, step);
    const isSmaller = bytes !== undefined && bytes.data.length < found.image.bytes * (1 - SAVED_MIN);
    document.context.assign(found.ref, isSmaller ? replaced(found, bytes) : found.stream);
  }
  const path = join(task.folder, `${name}.pdf`);
  await writeDraft(document, path);
  return path;
};

interface Recompressed {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** @returns the JPEG; undefined if the image is damaged, as viewers show what they can of it */
const recompressed = async (
  image: PaperImage,
  dpi: number,
  { dpi: wanted, quality }: Step,
): Promise<Recompressed | undefined> => {
  try {
    const width = dpi > wanted * FINER_MIN ? Math.max(1, Math.round((image.width * wanted) / dpi)) : image.width;
    const picture = image.open();
    const { data, info } = await (width < image.width ? picture.resize({ width }) : picture)
      .toColourspace(image.channels === 1 ? "b-w" : "srgb")
      .jpeg({ quality, mozjpeg: true })
      .toBuffer({ resolveWithObject: true });
    return info.channels === image.channels ? { data, width: info.width, height: info.height } : undefined;
  } catch {
    return undefined;
  }
};

const replaced = ({ stream, image }: Found, { data, width, height }: Recompressed): PDFRawStream => {
  const dict = stream.dict.clone();
  const set = (key: string, value: PDFObject): void => dict.set(PDFName.of(key), value);
  dict.delete(PDFName.of("DecodeParms"));
  set("Filter", PDFName.of("DCTDecode"));
  set("Width", PDFNumber.of(width));
  set("Height", PDFNumber.of(height));
  set("BitsPerComponent", PDFNumber.of(8));
  set("ColorSpace", image.colors);
  return PDFRawStream.of(dict, data);
};

/** Writes the file as it is written in the end. @returns its path */
const finalOf = async (task: EngineTask, path: string): Promise<string> => {
  const outputFile = `${path}.final`;
  await runQpdf({ ...inputPart(path, {}), ...writingPart(task.options), outputFile }, task.folder);
  return outputFile;
};
