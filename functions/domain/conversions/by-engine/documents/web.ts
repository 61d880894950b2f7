import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import { SCREEN } from "./chromium.ts";

const LOADING = ["javascript", "wait_until", "wait_for_selector", "wait_ms", "css_media"] as const;
const REQUESTS = ["cookies", "request_headers", "user_agent"] as const;

const PRINT = [
  ...["page_size", "page_orientation", "page_margin", "page_numbers", "page_width", "page_height"],
  ...["margin_top", "margin_right", "margin_bottom", "margin_left", "single_page", "css_page_size"],
  ...["header_template", "footer_template", "scale", "print_background", "pages"],
] as readonly OptionName[];

const WINDOW = ["width", "height", "dpi", "full_page"] as const;

/** Default page margin of web pages in millimeters: that of browsers. HTML files have the margin of documents. */
export const WEB_MARGIN_MILLIMETERS = 10;

const PRINTED: OptionRules = { css_media: { default: "print" } };
const PAGE_PRINTED: OptionRules = { ...PRINTED, page_margin: { default: WEB_MARGIN_MILLIMETERS } };
const SHOWN: OptionRules = {
  width: { default: SCREEN.width },
  dpi: { default: SCREEN.dpi },
  css_media: { default: "screen" },
  quality: { default: SCREEN.quality },
};

interface Source {
  readonly from: readonly FormatId[];
  readonly loading: readonly OptionName[];
  /** The options without which another engine is preferred. */
  readonly optIn?: readonly OptionName[];
}

const rendered = ({ from, loading, optIn }: Source): ConversionRow[] => {
  const row = { from, first: true, last: true, ...(optIn && { optIn }) } as const;
  const window = [...loading, ...WINDOW];
  const rules = optIn === undefined ? PAGE_PRINTED : PRINTED;
  return [
    { ...row, to: "pdf", fidelity: "lossless", options: [...loading, ...PRINT], rules, costMs: 1_200 },
    { ...row, to: "png", fidelity: "lossless", options: [...window, "transparent"], rules: SHOWN, costMs: 1_200 },
    { ...row, to: "jpg", fidelity: "lossy", options: [...window, "quality"], rules: SHOWN, costMs: 1_200 },
    {
      ...row,
      to: "webp",
      fidelity: "lossy",
      options: [...window, "quality", "transparent"],
      rules: SHOWN,
      costMs: 1_250,
    },
  ];
};

/** Web pages, sites in a ZIP with `index.html`, and HTML with scripts. */
export const webConversions: readonly ConversionRow[] = [
  ...rendered({ from: ["url"], loading: [...LOADING, ...REQUESTS] }),
  ...rendered({ from: ["zip"], loading: LOADING }),
  // The warm browser without scripts is preferred.
  ...rendered({ from: ["html"], loading: [...LOADING, "encoding"], optIn: ["javascript"] }),
];
