import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import { packed } from "./packed.ts";

/** Archives that Node reads and writes as streams. */
const STREAMED = ["zip", "jar", "cbz", "tar", "tgz", "tzst", "tbr", "tlz4"] as const satisfies readonly FormatId[];

/** Single files that Node compresses and decompresses. */
const SINGLE = ["gz", "zst", "br", "lz4"] as const satisfies readonly FormatId[];

/** Zip, tar, and single compressed files. */
export const archiveConversions: readonly ConversionRow[] = [
  ...packed(STREAMED, "zip", 300),
  ...packed(STREAMED, "tar", 120),
  ...packed(STREAMED, "tgz", 350),
  ...packed(STREAMED, "tzst", 250),
  ...packed(STREAMED, "tbr", 500),
  ...packed(STREAMED, "tlz4", 200),
  ...packed(["zip"], "cbz", 300),
  ...packed(SINGLE, "zip", 300),
  ...packed(SINGLE, "gz", 350),
  ...packed(SINGLE, "zst", 250),
  ...packed(SINGLE, "br", 500),
  ...packed(SINGLE, "lz4", 200),
];
