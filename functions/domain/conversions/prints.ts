import type { ConversionRow } from "../conversion.ts";
import type { OptionName } from "../options.ts";

const PAPER = ["page_size", "page_orientation", "page_margin", "page_numbers"] as const satisfies readonly OptionName[];
const LOOKS = ["css_media", "encoding"] as const satisfies readonly OptionName[];
const WINDOW = ["width", "height", "dpi", ...LOOKS] as const satisfies readonly OptionName[];

/** What a browser prints and draws. */
export const printsConversions: readonly ConversionRow[] = [
  {
    from: ["html"],
    to: "pdf",
    engine: "chromium",
    fidelity: "lossless",
    options: [...PAPER, "scale", "print_background", "pages", ...LOOKS],
    costMs: 150,
    last: true,
  },
  // A document that was made into HTML on the way is drawn page by page instead.
  {
    from: ["html"],
    to: "png",
    engine: "chromium",
    fidelity: "lossless",
    options: WINDOW,
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["html"],
    to: "jpg",
    engine: "chromium",
    fidelity: "lossy",
    options: [...WINDOW, "quality"],
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["html"],
    to: "webp",
    engine: "chromium",
    fidelity: "lossy",
    options: [...WINDOW, "quality"],
    costMs: 300,
    first: true,
    last: true,
  },
];
