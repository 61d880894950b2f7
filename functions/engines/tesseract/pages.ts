import sharp from "sharp";
import { OCR_PAGES_MAX, PICTURE_PIXELS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import { checkPicture } from "../../domain/pictures.ts";
import { ocrPicture } from "../io/ocr-picture.ts";

/** A page to be read: a grey PNG, upright. */
export interface ReadablePage {
  readonly picture: Uint8Array;
  readonly dpi: number | undefined;
  /** Pages that there are. */
  readonly count: number;
}

/** What libvips calls our formats. */
const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif" };

/** Programs that know nothing of the size on paper write 72 or 96. */
const DENSITY_MIN = 100;

// Every file is seen once, so a cache only holds memory; it would also answer with an earlier file of the same name.
sharp.cache(false);

/**
 * @returns the pages of a picture, one after the other: all of a TIFF, the first frame of others
 * @throws JobError `source_corrupt`, `source_mismatch`, `too_many_pixels`, `too_many_pages`
 */
export async function* readablePages(path: string, format: FormatId): AsyncGenerator<ReadablePage> {
  const { name } = formatOf(format);
  const header = await orCorrupt(name, sharp(path, { limitInputPixels: false }).metadata());
  if (header.format !== (VIPS_NAMES[format] ?? format)) {
    throw new JobError("source_mismatch", `The file begins like ${name}, but holds something else.`);
  }
  const count = format === "tiff" ? (header.pages ?? 1) : 1;
  if (count > OCR_PAGES_MAX) {
    throw new JobError("too_many_pages", `The file has ${count} pages; at most ${OCR_PAGES_MAX} can be read.`);
  }
  for (let page = 0; page < count; page += 1) {
    const opened = sharp(path, { page, failOn: "error", limitInputPixels: PICTURE_PIXELS_MAX });
    const { width, height, density = 0 } = await orCorrupt(name, opened.metadata());
    checkPicture({ width, height });
    const { bytes, scale } = await orCorrupt(name, ocrPicture(opened));
    yield { picture: bytes, dpi: density < DENSITY_MIN ? undefined : density * scale, count };
  }
}

/** What a decoder throws comes from the bytes of the file. */
const orCorrupt = async <T>(name: string, promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (cause) {
    throw new JobError("source_corrupt", `The ${name} could not be read.`, { cause });
  }
};
