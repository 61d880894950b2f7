import sharp from "sharp";
import { OCR_PAGES_MAX, PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { checkPicture } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { ocrPicture } from "../ocr/picture.ts";
import type { GrayPicture } from "../ocr/skew.ts";

/** A page to recognize, upright. */
export interface ReadablePage {
  readonly picture: GrayPicture;
  readonly dpi: number | undefined;
  /** Number of pages. */
  readonly count: number;
}

/** libvips names of our formats. */
const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif" };

/** Programs that do not know the physical size write 72 or 96. */
const DENSITY_MIN = 100;

// Every file is used once, so a cache would only hold memory; it could also return an earlier file of the same name.
sharp.cache(false);

/**
 * @returns the pages of a picture one by one: all pages of a TIFF, the first frame of others
 * @throws JobError `source_corrupt`, `source_mismatch`, `too_many_pixels`, `too_many_pages`
 */
export async function* readablePages(path: string, format: FormatId): AsyncGenerator<ReadablePage> {
  const { name } = formatOf(format);
  const header = await orCorrupt(name, sharp(path, { limitInputPixels: false }).metadata());
  if (header.format !== (VIPS_NAMES[format] ?? format)) {
    throw new JobError(
      "source_mismatch",
      `The file has the signature of ${name}, but its content is in another format.`,
    );
  }
  const count = format === "tiff" ? (header.pages ?? 1) : 1;
  if (count > OCR_PAGES_MAX) {
    throw new JobError(
      "too_many_pages",
      `The file has ${count} pages; text recognition is limited to ${OCR_PAGES_MAX}.`,
    );
  }
  for (let page = 0; page < count; page += 1) {
    const opened = sharp(path, { page, failOn: "error", limitInputPixels: PICTURE_PIXELS_MAX });
    const { width, height, density = 0 } = await orCorrupt(name, opened.metadata());
    checkPicture({ width, height });
    const picture = await orCorrupt(name, ocrPicture(opened));
    yield { picture, dpi: density < DENSITY_MIN ? undefined : density * picture.scale, count };
  }
}

/** Decoder errors are caused by the file's bytes. */
const orCorrupt = async <T>(name: string, promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (cause) {
    throw new JobError("source_corrupt", `The ${name} could not be read.`, { cause });
  }
};
