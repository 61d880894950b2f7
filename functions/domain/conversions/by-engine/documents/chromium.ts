import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";

const PAPER = ["page_size", "page_orientation", "page_margin", "page_numbers"] as const satisfies readonly OptionName[];
const LOOKS = ["css_media", "encoding"] as const satisfies readonly OptionName[];
const WINDOW = ["width", "height", "dpi", ...LOOKS] as const satisfies readonly OptionName[];

/** Default width of an image in pixels (a window size that most sites are designed for), resolution, and quality. */
export const SCREEN = { width: 1_280, dpi: 96, quality: 85 } as const;

const PRINTED: OptionRules = { css_media: { default: "print" } };
const SHOWN: OptionRules = {
  width: { default: SCREEN.width },
  dpi: { default: SCREEN.dpi },
  css_media: { default: "screen" },
  quality: { default: SCREEN.quality },
};

/** PDF and images that a browser renders. */
export const chromiumConversions: readonly ConversionRow[] = [
  {
    from: ["html"],
    to: "pdf",
    fidelity: "lossless",
    options: [...PAPER, "scale", "print_background", "pages", ...LOOKS],
    rules: PRINTED,
    costMs: 150,
    last: true,
  },
  {
    from: ["svg"],
    to: "pdf",
    fidelity: "lossless",
    options: ["page_size", "page_orientation", "page_margin"],
    rules: { page_margin: { default: 0 } },
    costMs: 200,
    last: true,
  },
  // Documents that were converted to HTML on the way are rendered page by page instead.
  {
    from: ["html"],
    to: "png",
    fidelity: "lossless",
    options: WINDOW,
    rules: SHOWN,
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["html"],
    to: "jpg",
    fidelity: "lossy",
    options: [...WINDOW, "quality"],
    rules: SHOWN,
    costMs: 250,
    first: true,
    last: true,
  },
  {
    from: ["html"],
    to: "webp",
    fidelity: "lossy",
    options: [...WINDOW, "quality"],
    rules: SHOWN,
    costMs: 300,
    first: true,
    last: true,
  },
];
