import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

const CHANGES = [
  "compress",
  "target_size",
  "rotate",
  "rotate_pages",
  "flatten",
  "linearize",
  "user_password",
  "owner_password",
  "permissions",
] as const satisfies readonly OptionName[];

/** Changes to PDFs that keep everything else in them, such as bookmarks and tags. */
export const qpdfConversions: readonly ConversionRow[] = [
  {
    from: ["pdf"],
    to: "pdf",
    fidelity: "lossless",
    options: ["pages", "password", "split", ...CHANGES],
    optIn: CHANGES,
    costMs: 300,
    merges: true,
    first: true,
    last: true,
  },
];
