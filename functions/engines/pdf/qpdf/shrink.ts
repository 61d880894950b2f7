import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PDFDocument, PDFName, PDFNumber, type PDFObject, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";
import type { Options } from "../../../domain/conversions/options.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { savePdf } from "../pdflib/album.ts";
import { openBook } from "../pdflib/book.ts";
import { imageOf, type PaperImage } from "./image.ts";
import { inputPart, writingPart } from "./job.ts";
import { runQpdf } from "./program.ts";
import { resolutionsOf } from "./resolutions.ts";

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

export interface Shrunk {
  readonly path: string;
  readonly warnings: readonly Warning[];
}

/** @returns a copy of the PDF whose images have the resolution and quality of the preset, or fit the size */
export const shrunk = async (task: EngineTask, pages: number): Promise<Shrunk> => {
  const { compress = "ebook", target_size } = task.options;
  const found = await imagesOf(task);
  const at = (step: Step, name: string): Promise<string> => written(task, found, step, name);
  if (target_size === undefined) {
    return { path: await at(PRESETS[compress], "shrunk"), warnings: [] };
  }
  const isSmall = async (path: string): Promise<boolean> => (await finalSize(task, path)) <= target_size;
  let [fits, tooLarge] = [LADDER.length, -1];
  const paths = new Map<number, string>();
  while (fits - tooLarge > 1) {
    const middle = Math.floor((fits + tooLarge) / 2);
    const path = await at(LADDER[middle] ?? PRESETS.screen, `shrunk-${middle}`);
    paths.set(middle, path);
    [fits, tooLarge] = (await isSmall(path)) ? [middle, tooLarge] : [fits, middle];
    task.progress(0.2 + 0.7 * (1 - (fits - tooLarge) / (LADDER.length + 1)));
  }
  const best = paths.get(fits);
  return best === undefined
    ? { path: paths.get(LADDER.length - 1) ?? task.input, warnings: [missedWarning(target_size, pages)] }
    : { path: best, warnings: [] };
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
}

const imagesOf = async ({ input, folder }: EngineTask): Promise<Images> => {
  const resolutions = await resolutionsOf(input, folder);
  const document = await openBook(input);
  const images = document.context.enumerateIndirectObjects().flatMap(([ref, stream]): Found[] => {
    const dpi = resolutions.get(`${ref.objectNumber} ${ref.generationNumber}`);
    const image = dpi !== undefined && stream instanceof PDFRawStream ? imageOf(stream) : undefined;
    return image && dpi !== undefined && stream instanceof PDFRawStream ? [{ ref, stream, image, dpi }] : [];
  });
  return { document, images };
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
  await writeFile(path, await savePdf(document), { flag: "wx" });
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

/** @returns the size of the file as it is written in the end */
const finalSize = async (task: EngineTask, path: string): Promise<number> => {
  const outputFile = `${path}.final`;
  await runQpdf({ ...inputPart(path, {}), ...writingPart(task.options), outputFile }, task.folder);
  return (await stat(outputFile)).size;
};
