import { readFile } from "node:fs/promises";
import type { Metadata, Sharp } from "sharp";
import { ALBUM_QUALITY } from "../../../domain/conversions/by-engine/pictures/qualities.ts";
import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { decodeHeic } from "./heic.ts";
import type { StoredImage } from "./image.ts";
import { readJpeg, withoutMetadata } from "./jpeg.ts";
import { type Coding, openPage, rawOf, readHeader, storeDecoded, storePixels } from "./pixels.ts";
import { readPng } from "./png.ts";

/** A picture for one PDF page. */
export interface Sheet {
  readonly image: StoredImage;
  /** EXIF orientation of the stored pixels, 1 to 8. */
  readonly orientation: number;
  /** Pixels per inch according to the file. */
  readonly density?: number | undefined;
  /** @returns the picture for text recognition */
  readonly open: () => Sharp;
}

/**
 * Reads the picture of a file, or the pages of a TIFF one at a time.
 *
 * @throws JobError `source_corrupt`, `source_mismatch`, `too_many_pixels`, `too_many_pages`, `unsupported_feature`
 */
export async function* readSheets(
  path: string,
  format: FormatId,
  { options, warn }: { options: Options; warn: (warning: Warning) => void },
): AsyncGenerator<Sheet> {
  const coding: Coding = {
    quality: options.quality ?? ALBUM_QUALITY,
    lossless: options.lossless === true || format === "png",
  };
  if (format === "heic") {
    const decoded = await decodeHeic(path);
    yield { image: await storeDecoded(decoded, coding), orientation: 1, open: () => rawOf(decoded) };
    return;
  }
  const header = await readHeader(path, format);
  const { density, orientation = 1, pages = 1 } = header;
  const asItIs = await AS_IT_IS[format]?.(path, header);
  if (asItIs !== undefined) {
    yield { image: asItIs, orientation, density, open: () => openPage(path) };
    return;
  }
  const taken = format === "tiff" ? pages : 1;
  if (taken > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The TIFF has ${taken} pages; at most ${DOCUMENT_PAGES_MAX} are allowed.`);
  }
  if (taken < pages) {
    warn({ code: "frames_dropped", detail: `The file has ${pages} frames; only the first one was converted.` });
  }
  for (let page = 0; page < taken; page += 1) {
    const picture = openPage(path, page);
    const own = page === 0 ? header : await picture.metadata();
    const image = await storePixels(picture, { format, header: own, coding });
    const channels = image.palette === undefined ? image.components : 3;
    const kept = { ...image, profile: fitting(own.icc, channels) };
    yield { image: kept, orientation: 1, density: own.density, open: () => openPage(path, page) };
  }
}

type Taken = (path: string, header: Metadata) => Promise<StoredImage | undefined>;

const takeJpeg: Taken = async (path, { icc }) => {
  const bytes = await readFile(path);
  const header = readJpeg(bytes);
  const { components } = header ?? {};
  if (!header?.embeddable || (components !== 1 && components !== 3 && components !== 4)) {
    return undefined;
  }
  const { width, height, adobe } = header;
  const inverted = components === 4 && adobe;
  const image = withoutMetadata(bytes);
  return {
    width,
    height,
    components,
    bits: 8,
    bytes: image,
    coding: "jpeg",
    inverted,
    profile: fitting(icc, components),
  };
};

const takePng: Taken = async (path) => {
  const image = await readPng(await readFile(path));
  return image && { ...image, profile: fitting(image.profile, image.palette === undefined ? image.components : 3) };
};

/** Formats whose encoded bytes a PDF can embed unchanged; undefined if this picture must be decoded. */
const AS_IT_IS: Partial<Record<FormatId, Taken>> = { jpg: takeJpeg, png: takePng };

/** The color space for which a profile is made (ICC.1, 7.2.6). */
const SPACES: Readonly<Record<number, string>> = { 1: "GRAY", 3: "RGB ", 4: "CMYK" };

/** @returns the profile if it matches the number of components: readers reject the picture otherwise */
const fitting = (profile: Uint8Array | undefined, components: number): Uint8Array | undefined =>
  profile !== undefined && Buffer.from(profile).toString("latin1", 16, 20) === SPACES[components] ? profile : undefined;
