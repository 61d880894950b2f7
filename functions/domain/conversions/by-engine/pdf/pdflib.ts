import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

const PAGE = ["page_size", "page_orientation", "page_margin"] as const satisfies readonly OptionName[];
const ALBUM = [...PAGE, "dpi"] as const satisfies readonly OptionName[];

// What was made a PDF is a PDF: nothing that could be had straight comes of it.
const ALBUM_ROW = { to: "pdf", preferred: true, merges: true, last: true } as const;

/** What becomes PDF: pictures, PDFs put together or taken apart. */
export const pdflibConversions: readonly ConversionRow[] = [
  // Preferred, so that no JPEG becomes a PNG on its way for the sake of more options.
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
];
