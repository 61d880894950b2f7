import type { AvifOptions, JpegOptions, Metadata, PngOptions, ResizeOptions, SharpOptions, WebpOptions } from "sharp";
import { QUALITY, WHITE } from "../../../domain/conversions/by-engine/pictures/qualities.ts";
import {
  AVIF_LOSSLESS_PIXELS_MAX,
  AVIF_PIXELS_MAX,
  PICTURE_PIXELS_MAX,
  WEBP_LOSSLESS_PIXELS_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import type { Trait } from "../../../domain/formats/format.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { type Rights, rightsOf } from "../metadata/rights.ts";
import { channelsOf, isGray } from "./colors.ts";

/** The parts of an image header that a plan needs. */
export interface Header
  extends Pick<Metadata, "space" | "hasAlpha" | "hasProfile" | "orientation" | "density" | "exif" | "delay" | "loop"> {
  /** Number of frames or pages in the file. */
  readonly pages: number;
  /** Whether all pages have the same size, so that they can be read together. */
  readonly uniform: boolean;
  /** Whether it has no metadata that would have to be copied. @default false */
  readonly isBare?: boolean;
}

/** The sharp settings for one conversion. */
export interface Plan {
  readonly input: SharpOptions;
  /** Number of frames or pages to read. */
  readonly frames: number;
  /** Number of frames or pages that are not read. */
  readonly pagesLeft: number;
  /** Whether the target supports all frames of an animation. */
  readonly holdsFrames: boolean;
  /** Display time of each frame, in milliseconds, and the number of loops. */
  readonly delay: readonly number[];
  readonly loop: number;
  /** Maximum number of pixels that the encoder can handle with a converter's memory. */
  readonly pixelsMax: number;
  readonly resize: ResizeOptions | undefined;
  /** The background color for transparent pixels; without it, they stay transparent. */
  readonly flatten: string | undefined;
  /** Whether colors become shades of gray. */
  readonly grayscale: boolean;
  /** The working color space, if the source's cannot represent the requested colors. */
  readonly workspace: string | undefined;
  readonly colorSpace: string;
  /** `no_iptc`: libvips writes that of other formats to TIFF in a form that no reader supports. */
  readonly metadata: "all" | "no_iptc" | "no_profile" | "none" | "profile";
  /** The only other metadata of the result, if most of it is removed. */
  readonly rights: Rights | undefined;
  /** Converts to sRGB by name: sharp leaves 16-bit pixels in Display P3 when it drops a profile. */
  readonly toSrgb: boolean;
  readonly warnings: readonly Warning[];
}

/** Formats that support 16 bits per channel, and those that support a single gray channel. */
const DEEP: readonly FormatId[] = ["png", "tiff"];
const GRAY: readonly FormatId[] = ["jpg", "png", "tiff"];

/** Formats written with multiple frames. JPEG XL supports frames, but its encoder here writes only one. */
const ANIMATED: readonly FormatId[] = ["gif", "webp", "apng"];

/** Orientations from this value on rotate or flip rows, which sharp does not do for vertically stacked frames. */
const ROWS_MOVE = 3;

/** @returns the plan; a pure function, so that tests need no files */
export const planPicture = (task: Pick<EngineTask, "from" | "to" | "options">, header: Header): Plan => {
  const { from, to, options } = task;
  const preserves = (trait: Trait): boolean => formatOf(to).keeps.some((preserved) => preserved === trait);
  const alpha = preserves("alpha");
  const holdsFrames = ANIMATED.includes(to);
  const frames = framesOf(task, header, holdsFrames);
  const deep = header.space === "rgb16" || header.space === "grey16";
  const isGraySource = header.space === "b-w" || header.space === "grey16";
  const gray = isGraySource || options.grayscale === true;
  const colored = options.grayscale !== true && addsColor(options);
  const staysGray = gray && !colored && GRAY.includes(to);
  const staysDeep = deep && DEEP.includes(to);
  const rgb = staysDeep ? "rgb16" : "srgb";
  const keepsProfile =
    preserves("color_profile") &&
    !isUnprofiled(to, options) &&
    (header.space === "srgb" || deep || staysGray) &&
    gray === staysGray &&
    gray === isGraySource;
  const { isBare = false } = header;
  const metadata = isBare ? "none" : metadataOf(task, keepsProfile);
  return {
    input: { ...inputOptions(from, frames > 1), autoOrient: !isBare },
    frames,
    pagesLeft: header.pages - frames,
    holdsFrames,
    delay: Array.from({ length: frames }, (_, index) => header.delay?.[index] ?? 0),
    loop: header.loop ?? 0,
    pixelsMax: pixelsMaxOf(to, options),
    resize: resizeOptions(options, alpha),
    flatten: header.hasAlpha ? flattenColor(options.background, alpha) : undefined,
    grayscale: gray && !isGraySource,
    workspace: gray && colored ? rgb : undefined,
    colorSpace: staysGray ? (staysDeep ? "grey16" : "b-w") : rgb,
    metadata,
    rights: options.strip_metadata === "private" ? rightsOf(header) : undefined,
    toSrgb: deep && header.hasProfile && !gray && !WITH_PROFILE.includes(metadata),
    warnings: warningsOf(task, header, frames),
  };
};

/** Plans that keep the color profile. */
const WITH_PROFILE: readonly Plan["metadata"][] = ["all", "no_iptc", "profile"];

const metadataOf = (
  { from, to, options: { strip_metadata = "none" } }: Pick<EngineTask, "from" | "to" | "options">,
  keepsProfile: boolean,
): Plan["metadata"] => {
  if (strip_metadata === "all" || strip_metadata === "private") {
    return strip_metadata === "private" && keepsProfile ? "profile" : "none";
  }
  return keepsProfile ? keptOf(from, to) : "no_profile";
};

const keptOf = (from: FormatId, to: FormatId): "all" | "no_iptc" =>
  to === "tiff" && from !== "tiff" ? "no_iptc" : "all";

/**
 * Whether the encoder omits the profile: ImageMagick does for JPEG 2000, and for lossy JPEG XL. Colors are then
 * converted to sRGB, the default for images without a profile.
 */
const isUnprofiled = (to: FormatId, { lossless = false }: Options): boolean =>
  to === "jp2" || (to === "jxl" && !lossless);

/** All frames if the target supports them; all pages of TIFF to TIFF, if sharp can read them at once. */
const framesOf = ({ from, to }: Pick<EngineTask, "from" | "to">, header: Header, holdsFrames: boolean): number => {
  const animated = from === "gif" || from === "webp";
  const kept = (animated && holdsFrames) || (from === "tiff" && to === "tiff" && header.uniform);
  return kept && (header.orientation ?? 1) < ROWS_MOVE ? header.pages : 1;
};

/**
 * Truncated and damaged pixels are errors; mere warnings, such as an unknown TIFF tag, are common in valid files and
 * ignored.
 */
export const inputOptions = (from: FormatId, allFrames: boolean): SharpOptions => ({
  failOn: "error",
  autoOrient: true,
  // An SVG has no pixels before rendering: its rendered size is checked instead.
  limitInputPixels: from === "svg" ? false : PICTURE_PIXELS_MAX,
  ...(allFrames ? { pages: -1 } : {}),
});

const pixelsMaxOf = (to: FormatId, { lossless = false }: Options): number => {
  if (to === "avif") {
    return lossless ? AVIF_LOSSLESS_PIXELS_MAX : AVIF_PIXELS_MAX;
  }
  return to === "webp" && lossless ? WEBP_LOSSLESS_PIXELS_MAX : PICTURE_PIXELS_MAX;
};

const resizeOptions = (options: Options, alpha: boolean): ResizeOptions | undefined => {
  const { width, height, fit = "inside", background } = options;
  return width === undefined && height === undefined
    ? undefined
    : { width, height, fit, background: alpha ? (background ?? "#0000") : onWhite(background) };
};

/** @returns whether the options add a color that a gray image does not have */
const addsColor = ({ background, watermark_text, watermark_color, watermark_upload_id }: Options): boolean =>
  watermark_upload_id !== undefined ||
  [background, watermark_text && watermark_color].some((color) => color !== undefined && !isGray(color));

/**
 * A target without transparency needs a background color; others keep transparency unless an opaque color is requested.
 */
const flattenColor = (background: string | undefined, alpha: boolean): string | undefined => {
  if (!alpha) {
    return onWhite(background);
  }
  return background !== undefined && channelsOf(background)[3] === 255 ? background : undefined;
};

/** @returns the opaque color that results on white */
const onWhite = (background: string = WHITE): string => {
  const [red = 0, green = 0, blue = 0, alpha = 255] = channelsOf(background);
  const mixed = [red, green, blue].map((channel) => Math.round((channel * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(mixed).toString("hex")}`;
};

const warningsOf = (
  { from, to, options }: Pick<EngineTask, "from" | "to" | "options">,
  header: Header,
  frames: number,
): Warning[] => {
  const warnings: Warning[] = [];
  if (frames < header.pages) {
    const [code, what] = from === "tiff" ? ["pages_dropped", "pages"] : ["frames_dropped", "frames"];
    warnings.push({ code, detail: `The file has ${header.pages} ${what}; the result contains only the first one.` });
  }
  if (header.exif !== undefined && to === "tiff" && !isStripped(options)) {
    warnings.push({
      code: "metadata_dropped",
      detail: "EXIF data is not written to TIFF; the color profile is kept.",
    });
  }
  return warnings;
};

/** @returns whether most metadata is removed by request */
const isStripped = ({ strip_metadata }: Options): boolean => strip_metadata === "all" || strip_metadata === "private";

type Encoding =
  | readonly ["jpeg", JpegOptions]
  | readonly ["png", PngOptions]
  | readonly ["webp", WebpOptions]
  | readonly ["gif", { effort: number }]
  | readonly ["tiff", { compression: string; predictor: string; xres?: number; yres?: number }]
  | readonly ["avif", AvifOptions];

const MILLIMETERS_PER_INCH = 25.4;

/** The encoder and its options, by format; the numbers were measured on a 12-megapixel photo. */
export const encodings: Readonly<Partial<Record<FormatId, (options: Options, density?: number) => Encoding>>> = {
  jpg: ({ quality = QUALITY.jpg }) => ["jpeg", { quality }],
  // Level 6, the default, takes a fifth longer than 4 and saves less than 1 %.
  png: () => ["png", { compressionLevel: 4 }],
  webp: ({ quality = QUALITY.webp, lossless = false }) => ["webp", lossless ? { lossless } : { quality }],
  // Effort 7, the default, takes 60 % longer than 1 and saves 15 %; those between save nothing.
  gif: () => ["gif", { effort: 1 }],
  // sharp's default for TIFF is JPEG, which is lossy; LZW with the predictor is widely supported.
  tiff: (_, density) => [
    "tiff",
    {
      compression: "lzw",
      predictor: "horizontal",
      ...(density === undefined ? {} : { xres: density / MILLIMETERS_PER_INCH, yres: density / MILLIMETERS_PER_INCH }),
    },
  ],
  // Seven times faster than sharp's defaults, and smaller at the same quality.
  avif: ({ quality = QUALITY.avif, lossless = false }) => [
    "avif",
    lossless ? { lossless, effort: 0 } : { quality, effort: 2, chromaSubsampling: "4:2:0", tune: "ssim" },
  ],
};
