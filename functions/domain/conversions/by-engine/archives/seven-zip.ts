import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import { packed } from "./packed.ts";

const STREAMED = ["zip", "jar", "cbz", "tar", "tgz", "tzst", "tbr", "tlz4"] as const satisfies readonly FormatId[];
/** Archives that 7-Zip or unar reads. */
const UNPACKED = [
  ...(["7z", "cb7", "rar", "cbr", "iso", "cab", "arj", "lzh", "cpio", "rpm", "deb", "xar", "wim"] as const),
  ...(["tbz2", "txz", "tlz", "taz"] as const),
] as const satisfies readonly FormatId[];
/** Those that are commonly repacked as another kind of tar. */
const REPACKED = ["7z", "rar", "tbz2", "txz", "tlz", "taz"] as const satisfies readonly FormatId[];
/** Single compressed files. */
const SINGLE = ["gz", "bz2", "xz", "zst", "lzma", "z", "br", "lz4"] as const satisfies readonly FormatId[];
const RARE = ["bz2", "xz", "lzma", "z"] as const satisfies readonly FormatId[];

/** Zipped functions have no program that decrypts, so archives with a password go to a lane with 7-Zip. */
const decrypted = (to: FormatId): ConversionRow[] =>
  packed(["zip", "cbz"], to, 550)
    .filter(({ options }) => options.includes("password"))
    .map((row) => ({ ...row, preferred: true, optIn: ["password"] }));

/** Conversions of 7-Zip and unar: 7z, and formats that only they pack or unpack. */
export const sevenZipConversions: readonly ConversionRow[] = [
  ...packed(STREAMED, "7z", 1_400),
  ...packed(STREAMED, "txz", 1_000),
  ...packed(STREAMED, "tbz2", 1_400),
  ...packed(UNPACKED, "zip", 550),
  ...packed(UNPACKED, "tar", 400),
  ...packed(UNPACKED, "tgz", 600),
  ...packed(UNPACKED, "7z", 1_400),
  ...packed(REPACKED, "tzst", 500),
  ...packed(REPACKED, "txz", 1_000),
  ...packed(REPACKED, "tbz2", 1_400),
  ...(["zip", "cbz", "tar", "tgz", "tzst", "tbr", "tlz4"] as const).flatMap(decrypted),
  ...packed(["cbr", "cb7"], "cbz", 550),
  ...packed(RARE, "zip", 550),
  ...packed(RARE, "gz", 600),
  ...packed(RARE, "zst", 500),
  ...packed(SINGLE, "bz2", 1_400),
  ...packed(SINGLE, "xz", 1_000),
];
