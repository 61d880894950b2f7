import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import { ALBUM_QUALITY, withQuality } from "../pictures/qualities.ts";

const PAGE = ["page_size", "page_orientation", "page_margin"] as const satisfies readonly OptionName[];
const ALBUM = [...PAGE, "dpi"] as const satisfies readonly OptionName[];

/** Images fill a page of a requested size, and have no margin. */
export const ALBUM_RULES: OptionRules = {
  ...withQuality(ALBUM_QUALITY),
  page_margin: { default: 0 },
  dpi: { unused: ({ page_size = "auto" }) => (page_size === "auto" ? undefined : "`page_size` is set") },
};

// Last steps, because everything that a PDF could be converted to next has a direct route.
const ALBUM_ROW = { to: "pdf", rules: ALBUM_RULES, preferred: true, merges: true, last: true } as const;

/** Images to PDF, merging and splitting of PDFs, and descriptions of them. */
export const pdflibConversions: readonly ConversionRow[] = [
  // Preferred, so that a JPEG is not converted to PNG first to support more options.
  { ...ALBUM_ROW, from: ["jpg"], fidelity: "lossless", options: ALBUM, costMs: 20 },
  { ...ALBUM_ROW, from: ["png"], fidelity: "lossless", options: ALBUM, costMs: 200 },
  {
    ...ALBUM_ROW,
    from: ["webp", "gif", "tiff", "avif", "heic"],
    fidelity: "lossy",
    options: [...ALBUM, "quality", "lossless"],
    costMs: 400,
  },
  {
    from: ["pdf"],
    to: "pdf",
    fidelity: "lossless",
    options: ["pages", "password", "split"],
    costMs: 150,
    merges: true,
    first: true,
    last: true,
  },
  // A description of the file, which nothing else is made from.
  { from: ["pdf"], to: "json", fidelity: "content_only", options: ["password"], costMs: 100, first: true, last: true },
];
