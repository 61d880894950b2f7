import type { FormatId } from "../../../formats/formats.ts";
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

const PRINT = [...PAPER, "scale", "print_background", "pages"] as const satisfies readonly OptionName[];
/** A saved page names its encoding. */
const SAVED_WINDOW = WINDOW.filter((name) => name !== "encoding");

/**
 * Images of a whole page. Documents that were converted to HTML on the way are rendered page by page instead, so this is
 * a first step.
 */
const shown = (from: readonly FormatId[], window: readonly OptionName[]): ConversionRow[] => {
  const row = { from, rules: SHOWN, first: true, last: true } as const;
  return [
    { ...row, to: "png", fidelity: "lossless", options: window, costMs: 250 },
    { ...row, to: "jpg", fidelity: "lossy", options: [...window, "quality"], costMs: 250 },
    { ...row, to: "webp", fidelity: "lossy", options: [...window, "quality"], costMs: 300 },
  ];
};

/** PDF and images that a browser renders. */
export const chromiumConversions: readonly ConversionRow[] = [
  {
    from: ["html"],
    to: "pdf",
    fidelity: "lossless",
    options: [...PRINT, ...LOOKS],
    rules: PRINTED,
    costMs: 150,
    last: true,
  },
  {
    from: ["mhtml"],
    to: "pdf",
    fidelity: "lossless",
    options: [...PRINT, "css_media"],
    rules: PRINTED,
    costMs: 200,
    last: true,
  },
  // The PDF takes the attachments from the message; HTML on the way could not hold them.
  {
    from: ["eml", "msg"],
    to: "pdf",
    fidelity: "lossy",
    options: [...PRINT, "css_media", "attachments"],
    rules: PRINTED,
    costMs: 250,
    last: true,
    optIn: ["attachments"],
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
  ...shown(["html"], WINDOW),
  ...shown(["mhtml"], SAVED_WINDOW),
];
