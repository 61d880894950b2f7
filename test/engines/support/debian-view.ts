import { execFileSync } from "node:child_process";
import type { FormatId } from "../../../functions/domain/formats.ts";
import { withTool } from "./tools.ts";

/** ImageMagick 6 of Debian: natively built, with other decoders than the WebAssembly of ImageMagick 7. */
const PROGRAM = "convert-im6.q16";

/** Formats of ours that it reads. */
const READ: readonly FormatId[] = [
  ...(["bmp", "tga", "psd", "psb", "ppm", "pgm", "pbm", "pam", "pcx", "pict", "miff", "sgi", "ras", "xbm"] as const),
  ...(["xpm", "wbmp", "dds", "ico", "exr", "hdr", "jp2", "j2k"] as const),
];

/** @returns the pixels of the first picture in sRGB on white; undefined where the program is missing or does not know it */
export const pixelsByDebian = (path: string, format: FormatId): Uint8Array | undefined => {
  if (!READ.includes(format) || !withTool(PROGRAM)) {
    return undefined;
  }
  const flat = ["-colorspace", "sRGB", "-background", "white", "-alpha", "remove", "-depth", "8", "rgb:-"];
  return execFileSync(PROGRAM, [`${format}:${path}[0]`, ...flat], { stdio: ["ignore", "pipe", "ignore"] });
};
