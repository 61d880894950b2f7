import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName, Options } from "../../options.ts";

const CHANGES = [
  "rotate",
  "rotate_pages",
  "flatten",
  "linearize",
  "user_password",
  "owner_password",
  "permissions",
  "watermark_text",
  "watermark_upload_id",
  "watermark_position",
  "watermark_opacity",
  "watermark_size",
  "watermark_font_size",
  "watermark_rotation",
  "watermark_color",
  "watermark_layer",
  "watermark_pages",
  "page_numbers",
  "page_number_format",
  "page_number_position",
  "page_number_start",
  "page_number_pages",
  "crop_margins",
  "pages_per_sheet",
  "title",
  "author",
  "subject",
  "keywords",
  "strip_metadata",
  "bookmarks",
  "form_data",
  "attachment_upload_id",
  "facturx_upload_id",
  "pdf_a",
] as const satisfies readonly OptionName[];

const ENCRYPTED = ["user_password", "owner_password", "permissions"] as const;

const RULES: OptionRules = {
  strip_metadata: { only: ["none", "all"] },
  pdf_a: { only: ["2b", "3b"], refused: (options) => notEncrypted("pdf_a", options) },
  facturx_upload_id: { refused: (options) => notEncrypted("facturx_upload_id", options) },
};

/** PDF/A has no encryption. */
const notEncrypted = (name: OptionName, options: Options): string | undefined => {
  const other = ENCRYPTED.find((option) => options[option] !== undefined);
  return other && `\`${name}\` cannot be combined with \`${other}\`: PDF/A is never encrypted.`;
};

/** Recompression of images. */
const SMALLER = ["compress", "target_size"] as const satisfies readonly OptionName[];

const PAPER = {
  from: ["pdf"],
  to: "pdf",
  options: ["pages", "password", "split", ...CHANGES, ...SMALLER],
  rules: RULES,
  costMs: 300,
  merges: true,
  first: true,
  last: true,
} as const;

/** Changes to PDFs that keep everything else in them, such as bookmarks and tags. */
export const qpdfConversions: readonly ConversionRow[] = [
  // Before the other row, which a job with one of these options has as well.
  { ...PAPER, fidelity: "lossy", optIn: SMALLER, preferred: true },
  { ...PAPER, fidelity: "lossless", optIn: CHANGES },
  {
    from: ["pdf"],
    to: "zip",
    fidelity: "content_only",
    options: ["pages", "password", "zip_content"],
    rules: { zip_content: { only: ["images"], default: "images" } },
    costMs: 500,
    first: true,
    last: true,
  },
];
