import { execFileSync } from "node:child_process";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { MAGICK, withMagick } from "../tools.ts";

/** Formats that it can read. */
const READ: readonly FormatId[] = [
  ...(["bmp", "tga", "psd", "psb", "ppm", "pgm", "pbm", "pam", "pcx", "pict", "miff", "sgi", "ras", "xbm"] as const),
  ...(["xpm", "wbmp", "dds", "ico", "exr", "hdr", "jp2", "j2k"] as const),
];

/** @returns the pixels of the first picture in sRGB on white; undefined if the program is missing or cannot read it */
export const pixelsByDebian = (path: string, format: FormatId): Uint8Array | undefined => {
  if (!READ.includes(format) || !withMagick(format)) {
    return undefined;
  }
  const flat = ["-colorspace", "sRGB", "-background", "white", "-alpha", "remove", "-depth", "8", "rgb:-"];
  return execFileSync(MAGICK, [`${format}:${path}[0]`, ...flat], { stdio: ["ignore", "pipe", "ignore"] });
};
