import type { OptionField } from "./schema-form.ts";

/** Groups of the options of a long form. */

/** Options of a form from which it has groups. */
export const GROUPED_MIN = 13;

/** The group of an option by its name: the first match. An option without a match is in the group `other`. */
const groups: readonly (readonly [group: string, names: RegExp])[] = [
  ["watermark", /^watermark_/],
  ["page_numbers", /^page_numbers?(?:_|$)/],
  ["security", /password$|^permissions$|^flatten$/],
  ["metadata", /^(?:title|author|subject|keywords|strip_metadata|bookmarks|pdf_a)$/],
  ["attachments", /_upload_id$|^(?:attachments|form_data)$/],
  ["web", /^(?:javascript|wait_\w+|cookies|request_headers|user_agent|css_media|full_page|transparent)$/],
  ["pages", /^(?:pages|split|rotate_pages|single_page|scale|header_template|footer_template|print_background)$/],
  ["pages", /^(?:page_|pages_|margin_|crop_margins$|css_page_size$|sheet)/],
  ["text", /^(?:ocr|encoding|markdown|style)/],
  ["table", /^(?:table|delimiter|header$|values$|indent$)/],
  ["audio", /^(?:audio_|sample_rate|channels|volume|loudness)/],
  ["video", /^(?:video_|crf|fps|subtitles|trim_|at$|frames)/],
  ["size", /^(?:quality|lossless|compress|target_size|dpi|level|linearize)$/],
  ["picture", /^(?:width|height|fit|background|rotate|flip|crop|grayscale|blur|sharpen|sizes|columns|colors)$/],
];

export interface OptionGroup {
  readonly id: string;
  readonly fields: readonly OptionField[];
}

/** @returns the fields by group, in the order of the first field of each group; the group of the service comes first */
export const groupFields = (fields: readonly OptionField[]): readonly OptionGroup[] =>
  [...Map.groupBy(fields, groupOf)].map(([id, members]) => ({ id, fields: members }));

const groupOf = ({ name, schema }: OptionField): string =>
  schema.group ?? groups.find(([, names]) => names.test(name))?.[0] ?? "other";
