import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import { packed } from "./packed.ts";

/** Archives that Node reads and writes as streams. */
const STREAMED = ["zip", "jar", "cbz", "tar", "tgz", "tzst"] as const satisfies readonly FormatId[];

/** Zip, tar, and single compressed files. */
export const archiveConversions: readonly ConversionRow[] = [
  ...packed(STREAMED, "zip", 300),
  ...packed(STREAMED, "tar", 120),
  ...packed(STREAMED, "tgz", 350),
  ...packed(STREAMED, "tzst", 250),
  ...packed(["zip"], "cbz", 300),
  ...packed(["gz", "zst"], "zip", 300),
  ...packed(["gz", "zst"], "gz", 350),
  ...packed(["gz", "zst"], "zst", 250),
];
