import { deflateSync } from "node:zlib";
import sharp, { type Metadata, type Sharp } from "sharp";
import { PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { checkPicture } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { translated } from "../../pictures/sharp/errors.ts";
import type { DecodedPicture } from "./heic.ts";
import type { StoredImage } from "./image.ts";
import { readPng } from "./png.ts";

/** Encoding options for a decoded picture. */
export interface Coding {
  /** JPEG quality of photos. */
  readonly quality: number;
  /** Whether photos are lossless too. */
  readonly lossless: boolean;
}

// Every file is used once, so a cache would only hold memory; it could also return an earlier file of the same name.
sharp.cache(false);

/** libvips names of our formats. */
const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif" };

/** @throws JobError `source_mismatch` if the file contains another format, `too_many_pixels`, `source_corrupt` */
export const readHeader = async (path: string, format: FormatId): Promise<Metadata> => {
  const header = await orCorrupt(format, sharp(path, { failOn: "error", limitInputPixels: false }).metadata());
  if (header.format !== (VIPS_NAMES[format] ?? format)) {
    throw new JobError(
      "source_mismatch",
      `The file has the signature of ${formatOf(format).name}, but its content is in another format.`,
    );
  }
  checkPicture(header);
  return header;
};

/** @returns one page of a picture, opened with its colors unchanged; no pixels are read yet */
export const openPage = (path: string, page = 0): Sharp =>
  sharp(path, { page, failOn: "error", limitInputPixels: PICTURE_PIXELS_MAX, ignoreIcc: true });

/** Properties known before the pixels are decoded. */
export interface Undecoded {
  readonly format: FormatId;
  readonly header: Pick<Metadata, "space" | "icc">;
  readonly coding: Coding;
}

/**
 * Decodes a picture and encodes it for a PDF: photos as JPEG, lossless if that is smaller. CMYK stays CMYK, opacity
 * becomes a mask, and color profiles are kept.
 *
 * @throws JobError as the decoder does
 */
export const storePixels = async (picture: Sharp, { format, header, coding }: Undecoded): Promise<StoredImage> => {
  const { space, icc } = header;
  const inks = space === "cmyk";
  const gray = space === "b-w" || space === "grey16";
  const deep = coding.lossless && (space === "rgb16" || space === "grey16");
  const pipeline = inks ? picture.pipelineColourspace("cmyk") : picture;
  pipeline.autoOrient().toColourspace(inks ? "cmyk" : gray ? (deep ? "grey16" : "b-w") : deep ? "rgb16" : "srgb");
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
  return inks ? storeInks(pixels, icc) : storeColors(pixels, coding, icc);
};

/** Decoded pixels. */
export interface Pixels {
  readonly data: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

export const rawOf = ({ data, width, height, channels }: Pixels): Sharp => {
  const colorspace = channels < 3 ? "grey16" : "rgb16";
  const picture = sharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });
  return data instanceof Uint16Array
    ? picture.toColourspace(colorspace)
    : channels < 3
      ? picture.toColourspace("b-w")
      : picture;
};

/** @returns a decoded picture, encoded for a PDF */
export const storeDecoded = (picture: DecodedPicture, coding: Coding): Promise<StoredImage> =>
  storeColors(picture, coding, picture.profile);

const INKS = 4;

const storeInks = ({ data, width, height, channels }: Pixels, profile: Uint8Array | undefined): StoredImage => {
  if (channels !== INKS) {
    throw new JobError("unsupported_feature", "CMYK pictures with transparency are not supported.");
  }
  const bytes = deflateSync(data);
  return { width, height, components: INKS, bits: 8, bytes, coding: "deflated", profile };
};

const storeColors = async (pixels: Pixels, coding: Coding, profile: Uint8Array | undefined): Promise<StoredImage> => {
  const alpha = pixels.channels === 2 || pixels.channels === 4;
  const translucent = alpha && !isOpaque(pixels);
  const colors = () => (alpha ? rawOf(pixels).removeAlpha() : rawOf(pixels));
  const mask = translucent ? await exactly(rawOf(pixels).extractChannel(pixels.channels === 2 ? 1 : 3)) : undefined;
  const photograph = !coding.lossless && (await isPhotograph(colors, pixels, coding));
  const stored = photograph ? await asJpeg(colors(), pixels, coding) : await exactly(colors());
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

/** Side of the sample in pixels, and the pixel count below which the choice does not matter. */
const PIECE_PIXELS = 512;
const SMALL_PIXELS = 10_000;

/** A picture is a photo if JPEG halves its size; drawings, text and screenshots are smaller lossless. */
const isPhotograph = async (colors: () => Sharp, { width, height }: Pixels, { quality }: Coding): Promise<boolean> => {
  if (width * height < SMALL_PIXELS) {
    return false;
  }
  const [across, down] = [Math.min(width, PIECE_PIXELS), Math.min(height, PIECE_PIXELS)];
  const piece = () =>
    colors().extract({
      ...{ left: (width - across) >> 1, top: (height - down) >> 1 },
      ...{ width: across, height: down },
    });
  const [exact, lossy] = [await piece().png(PNG).toBuffer(), await piece().jpeg({ quality }).toBuffer()];
  return exact.length > 2 * lossy.length;
};

const asJpeg = async (colors: Sharp, pixels: Pixels, { quality }: Coding): Promise<StoredImage> => ({
  ...{ width: pixels.width, height: pixels.height, components: pixels.channels < 3 ? 1 : 3, bits: 8 },
  bytes: await colors.jpeg({ quality }).toBuffer(),
  coding: "jpeg",
});

/** The default level 6 takes a fifth longer than 4 and saves less than 1%. */
const PNG = { compressionLevel: 4 } as const;

const exactly = async (colors: Sharp): Promise<StoredImage> => {
  const stored = await readPng(await colors.png(PNG).toBuffer(), true);
  if (stored === undefined) {
    throw new TypeError("The PNG that sharp encoded could not be parsed.");
  }
  return stored;
};

/** @throws JobError with the same code as a conversion to another image */
const orCorrupt = async <T>(format: FormatId, promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    throw translated(error, format);
  }
};
