import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

const PAPER = ["page_size", "page_orientation", "page_margin", "page_numbers"] as const satisfies readonly OptionName[];
const LOOKS = ["css_media", "encoding"] as const satisfies readonly OptionName[];
const WINDOW = ["width", "height", "dpi", ...LOOKS] as const satisfies readonly OptionName[];

/** PDF and images that a browser renders. */
export const chromiumConversions: readonly ConversionRow[] = [
  {
    from: ["html"],
    to: "pdf",
    fidelity: "lossless",
    options: [...PAPER, "scale", "print_background", "pages", ...LOOKS],
    costMs: 150,
    last: true,
  },
  {
    from: ["svg"],
    to: "pdf",
    fidelity: "lossless",
    options: ["page_size", "page_orientation", "page_margin"],
    costMs: 200,
    last: true,
  },
  // Documents that were converted to HTML on the way are rendered page by page instead.
  {
    from: ["html"],
    to: "png",
    fidelity: "lossless",
    options: WINDOW,
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["html"],
    to: "jpg",
    fidelity: "lossy",
    options: [...WINDOW, "quality"],
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["html"],
    to: "webp",
    fidelity: "lossy",
    options: [...WINDOW, "quality"],
    costMs: 300,
    first: true,
    last: true,
  },
];
