import type { ConversionRow } from "../conversion.ts";
import type { FormatId } from "../formats.ts";
import type { OptionName } from "../options.ts";

/** Archives that Node reads as they come, and writes so. */
const STREAMED = ["zip", "jar", "cbz", "tar", "tgz", "tzst"] as const satisfies readonly FormatId[];
/** Archives that 7-Zip unpacks to disk. */
const UNPACKED = [
  ...(["7z", "cb7", "rar", "cbr", "iso", "cab", "arj", "lzh", "cpio", "rpm", "deb", "xar", "wim"] as const),
  ...(["tbz2", "txz", "tlz", "taz"] as const),
] as const satisfies readonly FormatId[];
/** Of these, what people pack again as a tar of another kind. */
const REPACKED = ["7z", "rar", "tbz2", "txz", "tlz", "taz"] as const satisfies readonly FormatId[];
/** One file each. */
const SINGLE = ["gz", "bz2", "xz", "zst", "lzma", "z"] as const satisfies readonly FormatId[];
/** Archives whose entries may be encrypted. */
const LOCKED: ReadonlySet<FormatId> = new Set(["zip", "cbz", "7z", "cb7", "rar", "cbr"]);

type Pairs = Pick<ConversionRow, "from" | "to" | "engine" | "costMs">;

/** @returns the rows of these pairs: those that take a password, and those that do not */
const packed = ({ from, to, engine, costMs }: Pairs): ConversionRow[] =>
  [true, false].map((locked) => {
    const options: OptionName[] = [
      ...(to === "tar" ? [] : ["level" as const]),
      ...(locked ? ["password" as const] : []),
    ];
    const sources = from.filter((source) => source !== to && LOCKED.has(source) === locked);
    return { from: sources, to, engine, fidelity: "lossless", options, costMs };
  });

/** Costs are those of an archive that unpacks to 10 MB. */
export const archiveConversions: readonly ConversionRow[] = [
  ...packed({ from: STREAMED, to: "zip", engine: "archive", costMs: 300 }),
  ...packed({ from: STREAMED, to: "tar", engine: "archive", costMs: 120 }),
  ...packed({ from: STREAMED, to: "tgz", engine: "archive", costMs: 350 }),
  ...packed({ from: STREAMED, to: "tzst", engine: "archive", costMs: 250 }),
  ...packed({ from: STREAMED, to: "7z", engine: "sevenzip", costMs: 1_400 }),
  ...packed({ from: STREAMED, to: "txz", engine: "sevenzip", costMs: 1_000 }),
  ...packed({ from: STREAMED, to: "tbz2", engine: "sevenzip", costMs: 1_400 }),
  ...packed({ from: UNPACKED, to: "zip", engine: "sevenzip", costMs: 550 }),
  ...packed({ from: UNPACKED, to: "tar", engine: "sevenzip", costMs: 400 }),
  ...packed({ from: UNPACKED, to: "tgz", engine: "sevenzip", costMs: 600 }),
  ...packed({ from: UNPACKED, to: "7z", engine: "sevenzip", costMs: 1_400 }),
  ...packed({ from: REPACKED, to: "tzst", engine: "sevenzip", costMs: 500 }),
  ...packed({ from: REPACKED, to: "txz", engine: "sevenzip", costMs: 1_000 }),
  ...packed({ from: REPACKED, to: "tbz2", engine: "sevenzip", costMs: 1_400 }),
  ...packed({ from: ["zip"], to: "cbz", engine: "archive", costMs: 300 }),
  ...packed({ from: ["cbr", "cb7"], to: "cbz", engine: "sevenzip", costMs: 550 }),
  ...packed({ from: ["gz", "zst"], to: "zip", engine: "archive", costMs: 300 }),
  ...packed({ from: ["gz", "zst"], to: "gz", engine: "archive", costMs: 350 }),
  ...packed({ from: ["gz", "zst"], to: "zst", engine: "archive", costMs: 250 }),
  ...packed({ from: ["bz2", "xz", "lzma", "z"], to: "zip", engine: "sevenzip", costMs: 550 }),
  ...packed({ from: ["bz2", "xz", "lzma", "z"], to: "gz", engine: "sevenzip", costMs: 600 }),
  ...packed({ from: ["bz2", "xz", "lzma", "z"], to: "zst", engine: "sevenzip", costMs: 500 }),
  ...packed({ from: SINGLE, to: "bz2", engine: "sevenzip", costMs: 1_400 }),
  ...packed({ from: SINGLE, to: "xz", engine: "sevenzip", costMs: 1_000 }),
];
