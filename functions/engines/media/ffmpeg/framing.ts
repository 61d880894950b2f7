import { BACKGROUND } from "../../../domain/conversions/by-engine/media/media-rules.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { fitted, type PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import type { Warning } from "../../../domain/warning.ts";
import { isHdr, shownSize, type VideoTrack } from "./source.ts";

/** @returns the filters that produce the displayed frame: full frame, 8-bit, rotated, cropped, resized */
export const framing = (
  track: VideoTrack,
  options: Options,
  { even = false, flat = true }: { readonly even?: boolean; readonly flat?: boolean },
): { filters: string[]; size: PictureSize; warnings: Warning[] } => {
  const { rotate = 0, background = BACKGROUND } = options;
  const shown = shownSize(track);
  const upright = rotate % 180 === 0 ? shown : { width: shown.height, height: shown.width };
  const { scaled, result } = fitted(upright, options);
  const [inner, size] = even ? [evenSize(scaled), evenSize(result)] : [scaled, result];
  const bright = isHdr(track);
  return {
    size,
    filters: [
      ...(track.isInterlaced ? ["bwdif=mode=send_frame"] : []),
      ...(TURNS[rotate] ?? []),
      ...scaling(upright, inner, track),
      ...(bright ? [...declaredColors(track), ...TONES] : []),
      ...(flat && hasAlpha(track) ? [flattened(background)] : []),
      ...placing(inner, size, background),
    ],
    warnings: bright ? [TONES_WARNING] : [],
  };
};

const TURNS: Readonly<Record<number, readonly string[]>> = {
  90: ["transpose=clock"],
  180: ["hflip", "vflip"],
  270: ["transpose=cclock"],
};

/** Codecs with 4:2:0 color require even sides: an odd side loses its last line. */
const evenSize = ({ width, height }: PictureSize): PictureSize => ({ width: even(width), height: even(height) });

const even = (side: number): number => Math.max(2, side - (side % 2));

const isSame = (one: PictureSize, other: PictureSize): boolean =>
  one.width === other.width && one.height === other.height;

const scaling = (from: PictureSize, to: PictureSize, { aspect }: VideoTrack): string[] => {
  if (aspect === 1 && isSame(from, to)) {
    return [];
  }
  const trimmed = aspect === 1 && isSame(evenSize(from), to);
  return trimmed ? [`crop=${to.width}:${to.height}:0:0`] : [`scale=${to.width}:${to.height}:flags=bicubic`, "setsar=1"];
};

/** Crops what exceeds the result, and pads what is smaller. */
const placing = (inner: PictureSize, { width, height }: PictureSize, background: string): string[] => [
  ...(inner.width > width || inner.height > height
    ? [`crop=${Math.min(inner.width, width)}:${Math.min(inner.height, height)}`]
    : []),
  ...(inner.width < width || inner.height < height
    ? [`pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=${named(background)}`]
    : []),
];

/**
 * @param background validated as `#rgb`, `#rrggbb` or `#rrggbbaa`
 * @returns red, green and blue, 0 to 255
 */
const colorsOf = (background: string): number[] => {
  const digits = background.slice(1);
  const long = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
};

const named = (background: string): string =>
  `0x${colorsOf(background)
    .map((color) => color.toString(16).padStart(2, "0"))
    .join("")}`;

const hasAlpha = ({ pixels }: VideoTrack): boolean => /^(?:bgra|rgba|argb|abgr|yuva|gbrap|ya|pal8)/.test(pixels);

/** Overlays the frame on a filled frame, so that frame timestamps do not change. */
const flattened = (background: string): string => {
  const [red, green, blue] = colorsOf(background);
  const filled = `lutrgb=r=${red}:g=${green}:b=${blue}:a=255,format=rgb24`;
  return `format=rgba,split[over][copy];[copy]${filled}[under];[under][over]overlay=format=rgb`;
};

/** HDR video has the colors of BT.2020. The filter fails if the file does not declare them. */
const declaredColors = ({ primaries, matrix, pixels }: VideoTrack): string[] => {
  const missing = [
    ...(isDeclared(primaries) ? [] : ["color_primaries=bt2020"]),
    ...(isDeclared(matrix) || /^(?:rgb|bgr|gbr|argb|abgr)/.test(pixels) ? [] : ["colorspace=bt2020nc"]),
  ];
  return missing.length === 0 ? [] : [`setparams=${missing.join(":")}`];
};

const isDeclared = (color: string): boolean => !["", "unknown", "unspecified", "reserved"].includes(color);

/** Tone-maps HDR to standard range, in linear light. */
const TONES = [
  "zscale=t=linear:npl=100",
  "format=gbrpf32le",
  "zscale=p=bt709",
  "tonemap=hable:desat=0",
  "zscale=t=bt709:m=bt709:r=tv",
];

const TONES_WARNING: Warning = {
  code: "tones_mapped",
  detail: "The HDR video was tone-mapped to standard range (SDR).",
};
