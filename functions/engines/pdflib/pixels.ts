import { deflateSync } from "node:zlib";
import sharp, { type Metadata, type Sharp } from "sharp";
import { PICTURE_PIXELS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import { checkPicture } from "../../domain/pictures.ts";
import type { DecodedPicture } from "./heic.ts";
import type { StoredImage } from "./image.ts";
import { readPng } from "./png.ts";

/** What a decoded picture is coded with. */
export interface Coding {
  /** Of a photograph's JPEG. */
  readonly quality: number;
  /** Whether photographs keep every pixel too. */
  readonly lossless: boolean;
}

// Every file is seen once, so a cache only holds memory; it would also answer with an earlier file of the same name.
sharp.cache(false);

/** What libvips calls our formats. */
const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif" };

/** @throws JobError `source_mismatch` when another format hides in the file, `too_many_pixels`, `source_corrupt` */
export const readHeader = async (path: string, format: FormatId): Promise<Metadata> => {
  const header = await orCorrupt(format, sharp(path, { failOn: "error", limitInputPixels: false }).metadata());
  if (header.format !== (VIPS_NAMES[format] ?? format)) {
    throw new JobError("source_mismatch", `The file begins like ${formatOf(format).name}, but holds something else.`);
  }
  checkPicture(header);
  return header;
};

/** @returns one page of a picture, opened, its colours as they stand there; nothing is read yet */
export const openPage = (path: string, page = 0): Sharp =>
  sharp(path, { page, failOn: "error", limitInputPixels: PICTURE_PIXELS_MAX, ignoreIcc: true });

/** What is known of a picture before its pixels are decoded. */
export interface Undecoded {
  readonly format: FormatId;
  readonly header: Pick<Metadata, "space" | "icc">;
  readonly coding: Coding;
}

/**
 * Decodes a picture and codes it for a PDF: a photograph as JPEG, whatever is smaller without loss exactly. Inks stay
 * inks, opacity becomes a mask, and the colours keep their profile.
 *
 * @throws JobError as the decoder does
 */
export const storePixels = async (picture: Sharp, { format, header, coding }: Undecoded): Promise<StoredImage> => {
  const { space, icc } = header;
  const inks = space === "cmyk";
  const grey = space === "b-w" || space === "grey16";
  const deep = coding.lossless && (space === "rgb16" || space === "grey16");
  const pipeline = inks ? picture.pipelineColourspace("cmyk") : picture;
  pipeline.autoOrient().toColourspace(inks ? "cmyk" : grey ? (deep ? "grey16" : "b-w") : deep ? "rgb16" : "srgb");
  if (inks && !coding.lossless) {
    const { data, info } = await orCorrupt(
      format,
      pipeline.jpeg({ quality: coding.quality }).toBuffer({ resolveWithObject: true }),
    );
    const { width, height } = info;
    return { width, height, components: 4, bits: 8, bytes: data, coding: "jpeg", inverted: true, profile: icc };
  }
  const { data, info } = await orCorrupt(
    format,
    pipeline.raw({ depth: deep ? "ushort" : "uchar" }).toBuffer({ resolveWithObject: true }),
  );
  const pixels = { ...info, data: deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data };
  return inks ? storeInks(pixels, icc) : storeColours(pixels, coding, icc);
};

/** Pixels in memory. */
export interface Pixels {
  readonly data: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

export const rawOf = ({ data, width, height, channels }: Pixels): Sharp => {
  const colourspace = channels < 3 ? "grey16" : "rgb16";
  const picture = sharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });
  return data instanceof Uint16Array
    ? picture.toColourspace(colourspace)
    : channels < 3
      ? picture.toColourspace("b-w")
      : picture;
};

/** @returns a decoded picture, coded for a PDF */
export const storeDecoded = (picture: DecodedPicture, coding: Coding): Promise<StoredImage> =>
  storeColours(picture, coding, picture.profile);

const INKS = 4;

const storeInks = ({ data, width, height, channels }: Pixels, profile: Uint8Array | undefined): StoredImage => {
  if (channels !== INKS) {
    throw new JobError("unsupported_feature", "The picture is made of inks and has opacity, which is not kept here.");
  }
  const bytes = deflateSync(data);
  return { width, height, components: INKS, bits: 8, bytes, coding: "deflated", profile };
};

const storeColours = async (pixels: Pixels, coding: Coding, profile: Uint8Array | undefined): Promise<StoredImage> => {
  const alpha = pixels.channels === 2 || pixels.channels === 4;
  const translucent = alpha && !isOpaque(pixels);
  const colours = () => (alpha ? rawOf(pixels).removeAlpha() : rawOf(pixels));
  const mask = translucent ? await exactly(rawOf(pixels).extractChannel(pixels.channels === 2 ? 1 : 3)) : undefined;
  const photograph = !coding.lossless && (await isPhotograph(colours, pixels, coding));
  const stored = photograph ? await asJpeg(colours(), pixels, coding) : await exactly(colours());
  return { ...stored, mask, profile };
};

const isOpaque = ({ data, channels }: Pixels): boolean => {
  const full = data instanceof Uint16Array ? 65_535 : 255;
  for (let at = channels - 1; at < data.length; at += channels) {
    if (data[at] !== full) {
      return false;
    }
  }
  return true;
};

/** Pixels of a side of the piece that is tried, and pixels of a picture that is too small for it to matter. */
const PIECE_PIXELS = 512;
const SMALL_PIXELS = 10_000;

/** What JPEG makes half as large, or smaller, is a photograph; drawings, texts and screens are smaller without loss. */
const isPhotograph = async (colours: () => Sharp, { width, height }: Pixels, { quality }: Coding): Promise<boolean> => {
  if (width * height < SMALL_PIXELS) {
    return false;
  }
  const [across, down] = [Math.min(width, PIECE_PIXELS), Math.min(height, PIECE_PIXELS)];
  const piece = () =>
    colours().extract({
      ...{ left: (width - across) >> 1, top: (height - down) >> 1 },
      ...{ width: across, height: down },
    });
  const [exact, lossy] = [await piece().png(PNG).toBuffer(), await piece().jpeg({ quality }).toBuffer()];
  return exact.length > 2 * lossy.length;
};

const asJpeg = async (colours: Sharp, pixels: Pixels, { quality }: Coding): Promise<StoredImage> => ({
  ...{ width: pixels.width, height: pixels.height, components: pixels.channels < 3 ? 1 : 3, bits: 8 },
  bytes: await colours.jpeg({ quality }).toBuffer(),
  coding: "jpeg",
});

/** Level 6, the default, takes a fifth longer than 4 and saves less than 1 %. */
const PNG = { compressionLevel: 4 } as const;

const exactly = async (colours: Sharp): Promise<StoredImage> => {
  const stored = await readPng(await colours.png(PNG).toBuffer(), true);
  if (stored === undefined) {
    throw new TypeError("A PNG of our own cannot be taken apart.");
  }
  return stored;
};

/** What a decoder throws comes from the bytes of the file. */
const orCorrupt = async <T>(format: FormatId, promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    const code = MEANINGS.find(([words]) => words.test(message))?.[1] ?? "source_corrupt";
    throw new JobError(code, `The ${formatOf(format).name} could not be read.`, { cause: error });
  }
};

const MEANINGS = [
  [/pixel limit|too large for the/, "too_many_pixels"],
  [/out of memory|Could not allocate/i, "out_of_memory"],
  [/[Uu]nsupported (?!image format)|not supported|channel limit|bad dimensions/, "unsupported_feature"],
] as const;
