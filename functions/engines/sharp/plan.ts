import type { AvifOptions, JpegOptions, Metadata, PngOptions, ResizeOptions, SharpOptions, WebpOptions } from "sharp";
import {
  AVIF_LOSSLESS_PIXELS_MAX,
  AVIF_PIXELS_MAX,
  PICTURE_PIXELS_MAX,
  WEBP_LOSSLESS_PIXELS_MAX,
} from "../../domain/conversion-limits.ts";
import type { Trait } from "../../domain/format.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { Options } from "../../domain/options.ts";
import type { EngineTask } from "../engine.ts";

/** What the header of a picture says, as far as a plan needs it. */
export interface Header
  extends Pick<Metadata, "space" | "hasAlpha" | "hasProfile" | "orientation" | "density" | "exif" | "delay" | "loop"> {
  /** Frames or pages that the file holds. */
  readonly pages: number;
  /** Whether all pages have one size, so that they can be read together. */
  readonly uniform: boolean;
}

/** What sharp is told for one conversion. */
export interface Plan {
  readonly input: SharpOptions;
  /** Frames or pages that are read. */
  readonly frames: number;
  /** Frames or pages that the file has beside them. */
  readonly pagesLeft: number;
  /** Whether all frames of an animation arrive in the target. */
  readonly holdsFrames: boolean;
  /** Milliseconds that each of the frames is shown, and how often they run. */
  readonly delay: readonly number[];
  readonly loop: number;
  /** Pixels that the encoder can do with the memory of a converter. */
  readonly pixelsMax: number;
  readonly resize: ResizeOptions | undefined;
  /** The colour that transparent pixels get; without it they stay. */
  readonly flatten: string | undefined;
  /** The colour space to work in, where the source's own cannot hold the colours that are asked for. */
  readonly workspace: string | undefined;
  readonly colourspace: string;
  readonly metadata: "all" | "no_profile" | "none";
  /** Converts to sRGB by name: sharp leaves 16-bit pixels in Display P3 when it drops a profile. */
  readonly toSrgb: boolean;
  readonly warnings: readonly Warning[];
}

/** Formats of ours that hold 16 bits a channel, and those that hold a single grey channel. */
const DEEP: readonly FormatId[] = ["png", "tiff"];
const GREY: readonly FormatId[] = ["jpg", "png", "tiff"];

/** Formats whose frames we write. JPEG XL has frames too, but its encoder here writes one. */
const ANIMATED: readonly FormatId[] = ["gif", "webp", "apng"];

/** An orientation from here on turns or flips the rows, which sharp does not do to frames that lie below each other. */
const ROWS_MOVE = 3;

/** @returns what sharp is to do; pure, so that the tests can ask without a file */
export const planPicture = (task: Pick<EngineTask, "from" | "to" | "options">, header: Header): Plan => {
  const { from, to, options } = task;
  const carries = (trait: Trait): boolean => formatOf(to).carries.some((carried) => carried === trait);
  const alpha = carries("alpha");
  const holdsFrames = ANIMATED.includes(to);
  const frames = framesOf(task, header, holdsFrames);
  const deep = header.space === "rgb16" || header.space === "grey16";
  const grey = header.space === "b-w" || header.space === "grey16";
  const coloured = options.background !== undefined && !isGrey(options.background);
  const staysGrey = grey && !coloured && GREY.includes(to);
  const staysDeep = deep && DEEP.includes(to);
  const rgb = staysDeep ? "rgb16" : "srgb";
  const keepsProfile =
    carries("colour_profile") &&
    !isUnprofiled(to, options) &&
    (header.space === "srgb" || deep || staysGrey) &&
    grey === staysGrey;
  const metadata = options.strip_metadata ? "none" : keepsProfile ? "all" : "no_profile";
  return {
    input: inputOptions(from, frames > 1),
    frames,
    pagesLeft: header.pages - frames,
    holdsFrames,
    delay: Array.from({ length: frames }, (_, index) => header.delay?.[index] ?? 0),
    loop: header.loop ?? 0,
    pixelsMax: pixelsMaxOf(to, options),
    resize: resizeOptions(options, alpha),
    flatten: header.hasAlpha ? flattenColour(options.background, alpha) : undefined,
    workspace: grey && coloured ? rgb : undefined,
    colourspace: staysGrey ? (staysDeep ? "grey16" : "b-w") : rgb,
    metadata,
    toSrgb: deep && header.hasProfile && !grey && metadata !== "all",
    warnings: warningsOf(task, header, frames),
  };
};

/**
 * Whether the encoder forgets the profile: ImageMagick's does for JPEG 2000, and for JPEG XL unless it encodes without
 * loss. The colours are then brought to sRGB, which is what a picture without profile is taken for.
 */
const isUnprofiled = (to: FormatId, { lossless = false }: Options): boolean =>
  to === "jp2" || (to === "jxl" && !lossless);

/** All frames where the target holds them; all pages of a TIFF that becomes a TIFF, when sharp can read them at once. */
const framesOf = ({ from, to }: Pick<EngineTask, "from" | "to">, header: Header, holdsFrames: boolean): number => {
  const animated = from === "gif" || from === "webp";
  const kept = (animated && holdsFrames) || (from === "tiff" && to === "tiff" && header.uniform);
  return kept && (header.orientation ?? 1) < ROWS_MOVE ? header.pages : 1;
};

/** Truncated and damaged pixels fail; mere warnings, such as an unknown TIFF tag, are common in good files and pass. */
export const inputOptions = (from: FormatId, allFrames: boolean): SharpOptions => ({
  failOn: "error",
  autoOrient: true,
  // An SVG has no pixels until it is drawn: its size as drawn is checked instead.
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

/** A target without transparency needs a colour; another one keeps its own unless an opaque colour is asked for. */
const flattenColour = (background: string | undefined, alpha: boolean): string | undefined => {
  if (!alpha) {
    return onWhite(background);
  }
  return background !== undefined && channelsOf(background)[3] === 255 ? background : undefined;
};

/** @returns the colour, opaque, as it looks on white */
const onWhite = (background = "#fff"): string => {
  const [red = 0, green = 0, blue = 0, alpha = 255] = channelsOf(background);
  const mixed = [red, green, blue].map((channel) => Math.round((channel * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(mixed).toString("hex")}`;
};

const isGrey = (background: string): boolean => {
  const [red, green, blue] = channelsOf(background);
  return red === green && green === blue;
};

/** @returns red, green, blue and alpha, each 0 to 255, of `#rgb`, `#rrggbb` or `#rrggbbaa` */
const channelsOf = (background: string): number[] => {
  const hex = background.slice(1);
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  return [...Buffer.from(long.padEnd(8, "f"), "hex")];
};

const warningsOf = (
  { from, to, options }: Pick<EngineTask, "from" | "to" | "options">,
  header: Header,
  frames: number,
): Warning[] => {
  const warnings: Warning[] = [];
  if (frames < header.pages) {
    const [code, what] = from === "tiff" ? ["pages_dropped", "pages"] : ["frames_dropped", "frames"];
    warnings.push({ code, detail: `The file has ${header.pages} ${what}; the result holds the first one only.` });
  }
  if (header.exif !== undefined && to === "tiff" && options.strip_metadata !== true) {
    warnings.push({
      code: "metadata_dropped",
      detail: "EXIF data is not written to TIFF; the colour profile is kept.",
    });
  }
  return warnings;
};

/** Of a JPEG or a WebP, where none is asked for. */
export const QUALITY = 80;

/** AVIF looks the same at a lower number: 50 is about JPEG 80. */
const AVIF_QUALITY = 50;

type Encoding =
  | readonly ["jpeg", JpegOptions]
  | readonly ["png", PngOptions]
  | readonly ["webp", WebpOptions]
  | readonly ["gif", { effort: number }]
  | readonly ["tiff", { compression: string; predictor: string; xres?: number; yres?: number }]
  | readonly ["avif", AvifOptions];

const MILLIMETRES_PER_INCH = 25.4;

/** The encoder and its options, by format; the numbers were measured on a 12-megapixel photo. */
export const encodings: Readonly<Partial<Record<FormatId, (options: Options, density?: number) => Encoding>>> = {
  jpg: ({ quality = QUALITY }) => ["jpeg", { quality }],
  // Level 6, the default, takes a fifth longer than 4 and saves less than 1 %.
  png: () => ["png", { compressionLevel: 4 }],
  webp: ({ quality = QUALITY, lossless = false }) => ["webp", lossless ? { lossless } : { quality }],
  // Effort 7, the default, takes 60 % longer than 1 and saves 15 %; those between save nothing.
  gif: () => ["gif", { effort: 1 }],
  // sharp's default for TIFF is JPEG, which loses; LZW with the predictor is read everywhere.
  tiff: (_, density) => [
    "tiff",
    {
      compression: "lzw",
      predictor: "horizontal",
      ...(density === undefined ? {} : { xres: density / MILLIMETRES_PER_INCH, yres: density / MILLIMETRES_PER_INCH }),
    },
  ],
  // Seven times faster than sharp's defaults, and smaller at the same quality.
  avif: ({ quality = AVIF_QUALITY, lossless = false }) => [
    "avif",
    lossless ? { lossless, effort: 0 } : { quality, effort: 2, chromaSubsampling: "4:2:0", tune: "ssim" },
  ],
};
