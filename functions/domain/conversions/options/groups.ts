/**
 * The groups of options, in the order in which a form shows them, with the names of their options. Each option is in one
 * group. The JSON Schema of an option has it as `x-group`.
 */
export const optionGroups = {
  pages: [
    ...["pages", "split", "rotate_pages", "crop_margins", "pages_per_sheet", "page_size", "page_orientation"],
    ...["page_margin", "page_width", "page_height", "margin_top", "margin_right", "margin_bottom", "margin_left"],
    ...["single_page", "css_page_size", "scale", "sheet_fit", "page_numbers", "page_number_format"],
    ...["page_number_position", "page_number_start", "page_number_pages", "header_template", "footer_template"],
  ],
  size: ["width", "height", "fit", "dpi", "sizes", "crop", "rotate", "flip", "full_page"],
  appearance: [
    ...["background", "transparent", "colors", "grayscale", "blur", "sharpen", "style", "css_media"],
    ...["print_background", "frames", "columns", "delay"],
  ],
  watermark: [
    ...["watermark_text", "watermark_upload_id", "watermark_position", "watermark_opacity", "watermark_size"],
    ...["watermark_font_size", "watermark_rotation", "watermark_color", "watermark_layer", "watermark_pages"],
  ],
  text: ["ocr", "ocr_language", "layout", "encoding", "markdown", "attachments"],
  tables: ["tables", "sheet", "table", "header", "delimiter", "values", "indent"],
  time: ["trim_start", "trim_end", "at", "fps"],
  video: ["video_codec", "subtitles"],
  audio: ["audio_codec", "sample_rate", "channels", "volume", "loudness"],
  compression: [
    ...["compress", "target_size", "quality", "lossless", "crf", "video_bitrate", "audio_bitrate", "level"],
    ...["linearize"],
  ],
  metadata: ["title", "author", "subject", "keywords", "strip_metadata", "bookmarks"],
  forms: ["form_data", "flatten"],
  files: ["attachment_upload_id", "facturx_upload_id", "pdf_a"],
  security: ["password", "user_password", "owner_password", "permissions"],
  loading: [
    ...["javascript", "wait_until", "wait_for_selector", "wait_ms", "cookies", "request_headers", "user_agent"],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type OptionGroup = keyof typeof optionGroups;

const groups = new Map<string, OptionGroup>(
  (Object.keys(optionGroups) as OptionGroup[]).flatMap((group) =>
    optionGroups[group].map((name): [string, OptionGroup] => [name, group]),
  ),
);

/** @throws TypeError for an option without a group */
export const groupOf = (name: string): OptionGroup => {
  const group = groups.get(name);
  if (group === undefined) {
    throw new TypeError(`The option ${name} has no group.`);
  }
  return group;
};
