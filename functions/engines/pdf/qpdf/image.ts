import { deflateSync, inflateSync } from "node:zlib";
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { PNG_SIGNATURE, pngChunk } from "../../pictures/sharp/apng.ts";
import { readJpeg } from "../pdflib/jpeg.ts";

/** Smaller images are icons and rules, in which recompression saves nothing. */
const SIDE_MIN = 64;
const BYTES_MIN = 4_096;

/** An image object of a PDF with gray, RGB or CMYK samples of 8 bits, or colors of a palette. */
export interface PaperImage {
  readonly width: number;
  readonly height: number;
  /** Bytes in the file. */
  readonly bytes: number;
  /** 1: gray; 3: RGB; 4: CMYK. */
  readonly channels: Channels;
  /** The color space of the samples, after a palette is resolved. */
  readonly colors: PDFObject;
  /** A JPEG as it is in the file. */
  readonly jpeg: Uint8Array | undefined;
  /** The samples, without conversion of colors. */
  open(): Sharp;
}

type Channels = 1 | 3 | 4;

const name = (text: string): PDFName => PDFName.of(text);

/**
 * @returns the image of an object; undefined if it is none, or one that is left alone: stencils, small images, raw CMYK,
 * JPEG 2000, one bit per sample, changed color ranges
 */
export const imageOf = (stream: PDFRawStream): PaperImage | undefined => {
  const { dict, contents } = stream;
  const [width, height] = [numberIn(dict, "Width"), numberIn(dict, "Height")];
  const colors = isLargeImage(stream) ? colorsOf(dict.lookup(name("ColorSpace"))) : undefined;
  const jpeg = filterOf(dict) === "/DCTDecode" ? contents : undefined;
  // A JPEG of CMYK is often inverted; as its samples do not change, the range stays right.
  const isLeftAlone = colors?.channels === 4 ? !(jpeg && isInvertedCmyk(jpeg)) : dict.has(name("Decode"));
  const open = colors && !isLeftAlone ? opener(stream, { width, height, ...colors }) : undefined;
  const bytes = contents.length;
  return open && colors && { width, height, bytes, channels: colors.channels, colors: colors.base, jpeg, open };
};

/** @returns whether the object is an image that is large enough to be worth the work, and not too large */
const isLargeImage = ({ dict, contents }: PDFRawStream): boolean => {
  const [width, height] = [numberIn(dict, "Width"), numberIn(dict, "Height")];
  return (
    isImage(dict) &&
    String(dict.lookup(name("ImageMask"))) !== "true" &&
    !dict.has(name("Mask")) &&
    Math.min(width, height) >= SIDE_MIN &&
    contents.length >= BYTES_MIN &&
    width * height <= PICTURE_PIXELS_MAX
  );
};

export const isImage = (dict: PDFDict): boolean => dict.lookup(name("Subtype")) === name("Image");

/** @returns whether an image is in JPEG 2000 and opaque; without a color space, its header has the colors */
export const isJpeg2000 = (stream: PDFRawStream): boolean => {
  const { dict } = stream;
  const space = dict.lookup(name("ColorSpace"));
  const isKnown = space === undefined || [1, 3].some((channels) => channels === channelsOf(space));
  const isOpaque = numberIn(dict, "SMaskInData") === 0 && !dict.has(name("Decode"));
  return isLargeImage(stream) && filterOf(dict) === "/JPXDecode" && isKnown && isOpaque;
};

/** @returns whether an image has a coding or colors that are not always supported: JPEG 2000 or CMYK */
export const isSpecial = ({ dict }: PDFRawStream): boolean =>
  isImage(dict) &&
  (filterOf(dict)?.endsWith("/JPXDecode") === true || channelsOf(dict.lookup(name("ColorSpace"))) === 4);

export const numberIn = (dict: PDFDict, key: string): number => {
  const value = dict.lookup(name(key));
  return value instanceof PDFNumber ? value.asNumber() : 0;
};

interface Colors {
  /** 3: RGB, also after a palette. */
  readonly channels: Channels;
  readonly base: PDFObject;
  /** RGB bytes of each index. */
  readonly palette?: Uint8Array;
}

const colorsOf = (space: PDFObject | undefined): Colors | undefined => {
  const channels = channelsOf(space);
  if (space !== undefined && channels !== undefined) {
    return { channels, base: space };
  }
  if (!(space instanceof PDFArray) || space.lookup(0) !== name("Indexed")) {
    return undefined;
  }
  const base = space.lookup(1);
  const palette = bytesOf(space.lookup(3));
  return base !== undefined &&
    channelsOf(base) === 3 &&
    palette !== undefined &&
    palette.length % 3 === 0 &&
    palette.length > 0
    ? { channels: 3, base, palette }
    : undefined;
};

const DEVICE_CHANNELS: ReadonlyMap<unknown, Channels> = new Map([
  [name("DeviceGray"), 1],
  [name("DeviceRGB"), 3],
  [name("DeviceCMYK"), 4],
]);

const channelsOf = (space: unknown): Channels | undefined => {
  const device = DEVICE_CHANNELS.get(space);
  if (device !== undefined) {
    return device;
  }
  if (!(space instanceof PDFArray)) {
    return undefined;
  }
  const kind = space.lookup(0);
  if (kind === name("CalGray") || kind === name("CalRGB")) {
    return kind === name("CalGray") ? 1 : 3;
  }
  const profile = space.lookup(1);
  const components = kind === name("ICCBased") && profile instanceof PDFRawStream ? numberIn(profile.dict, "N") : 0;
  return components === 1 || components === 3 || components === 4 ? components : undefined;
};

const bytesOf = (value: unknown): Uint8Array | undefined => {
  if (value instanceof PDFString || value instanceof PDFHexString) {
    return value.asBytes();
  }
  const filter = value instanceof PDFRawStream ? filterOf(value.dict) : undefined;
  return value instanceof PDFRawStream && filter !== undefined ? unpacked(value.contents, filter, 768) : undefined;
};

/** @returns the filters from the outermost, `""` without; undefined if one is not supported */
const filterOf = (dict: PDFDict): string | undefined => {
  const filter = dict.lookup(name("Filter"));
  if (filter === undefined) {
    return "";
  }
  return filter instanceof PDFArray
    ? filter
        .asArray()
        .map((_, index) => String(filter.lookup(index)))
        .join("")
    : String(filter);
};

const unpacked = (bytes: Uint8Array, filter: string, bytesMax: number): Uint8Array | undefined => {
  if (filter === "") {
    return bytes;
  }
  return filter === "/FlateDecode" ? inflateSync(bytes, { maxOutputLength: bytesMax }) : undefined;
};

interface Samples extends Colors {
  readonly width: number;
  readonly height: number;
}

const opener = (stream: PDFRawStream, samples: Samples): (() => Sharp) | undefined => {
  const { dict, contents } = stream;
  const filter = filterOf(dict);
  if (filter === "/DCTDecode" || filter === "/FlateDecode/DCTDecode") {
    return dict.lookup(name("DecodeParms")) instanceof PDFArray ||
      changesColors(dict, samples) ||
      samples.palette !== undefined
      ? undefined
      : () => jpeg(filter === "/DCTDecode" ? contents : inflateSync(contents, { maxOutputLength: JPEG_BYTES_MAX }));
  }
  if (filter !== "/FlateDecode" || numberIn(dict, "BitsPerComponent") !== 8 || samples.channels === 4) {
    return undefined;
  }
  const predictor = predictorOf(dict, samples);
  return predictor === undefined ? undefined : () => png(contents, samples, predictor);
};

/** @returns whether a JPEG has other colors than its own header says (ISO 32000-1, table 13) */
const changesColors = (dict: PDFDict, { channels }: Samples): boolean => {
  const parameters = dict.lookup(name("DecodeParms"));
  const isChanged = parameters instanceof PDFDict && parameters.has(name("ColorTransform"));
  return isChanged && channels !== 1 && (channels === 4 || numberIn(parameters, "ColorTransform") !== 1);
};

const JPEG_BYTES_MAX = 300_000_000;
const LIMITS = { limitInputPixels: PICTURE_PIXELS_MAX, failOn: "error", ignoreIcc: true } as const;

const jpeg = (bytes: Uint8Array): Sharp => sharp(bytes, LIMITS);

/** libjpeg marks CMYK as inverted, so samples stay the same only if the source has that mark, too. */
const isInvertedCmyk = ({ buffer, byteOffset, byteLength }: Uint8Array): boolean =>
  readJpeg(Buffer.from(buffer, byteOffset, byteLength))?.adobe === true;

/** `png`: each row is filtered as in a PNG. */
const predictorOf = (dict: PDFDict, { width, palette, channels }: Samples): "none" | "png" | undefined => {
  const parameters = dict.lookup(name("DecodeParms"));
  if (!(parameters instanceof PDFDict)) {
    return parameters === undefined ? "none" : undefined;
  }
  const predictor = numberIn(parameters, "Predictor");
  if (predictor < 2) {
    return "none";
  }
  const colors = palette === undefined ? channels : 1;
  const isPng =
    predictor >= 10 &&
    (numberIn(parameters, "Colors") || 1) === colors &&
    (numberIn(parameters, "BitsPerComponent") || 8) === 8 &&
    numberIn(parameters, "Columns") === width;
  return isPng ? "png" : undefined;
};

/** The filtered samples of such a stream are those of a PNG, which needs only its other chunks. */
const png = (bytes: Uint8Array, { width, height, channels, palette }: Samples, predictor: "none" | "png"): Sharp => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, palette === undefined ? (channels === 1 ? 0 : 2) : 3], 8);
  const rowBytes = width * (palette === undefined ? channels : 1);
  const data = predictor === "png" ? bytes : deflateSync(rowsWithFilter(bytes, rowBytes, height), { level: 1 });
  return sharp(
    Buffer.concat([
      PNG_SIGNATURE,
      pngChunk("IHDR", head),
      ...(palette === undefined ? [] : [pngChunk("PLTE", palette.subarray(0, 768))]),
      pngChunk("IDAT", data),
      pngChunk("IEND", Buffer.alloc(0)),
    ]),
    LIMITS,
  );
};

const rowsWithFilter = (bytes: Uint8Array, rowBytes: number, height: number): Buffer => {
  const samples = inflateSync(bytes, { maxOutputLength: rowBytes * height + 1_024 });
  if (samples.length < rowBytes * height) {
    throw new RangeError("The image has fewer samples than its size needs.");
  }
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let row = 0; row < height; row += 1) {
    rows.set(samples.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1);
  }
  return rows;
};
