import type { OptionName } from "../conversions/options.ts";
import type { FormatId } from "../formats/formats.ts";

interface Operation {
  /** The target format of a step that does not set one; `source`: that of its first input. @default it must set one */
  readonly to?: FormatId | "source";
  /** Whether it reads several inputs. @default one */
  readonly many?: true;
  /** A step must have at least one of these options. @default none is required */
  readonly needs?: readonly OptionName[];
}

/**
 * THE table of operations of a step. All are conversions and accept every option of their conversion: a name says what a
 * step is for, so that a forgotten or misspelled option is an error instead of a copy of the file.
 */
export const operations = {
  convert: {},
  merge: { to: "pdf", many: true },
  archive: { to: "zip", many: true },
  compress: { to: "source", needs: ["compress", "target_size", "quality", "crf", "video_bitrate", "audio_bitrate"] },
  watermark: { to: "source", needs: ["watermark_text", "watermark_upload_id"] },
  number_pages: { to: "source", needs: ["page_number_format", "page_number_position", "page_number_start"] },
  encrypt: { to: "source", needs: ["user_password", "owner_password"] },
  decrypt: { to: "source", needs: ["password"] },
  rotate: { to: "source", needs: ["rotate", "flip"] },
  crop: { to: "source", needs: ["crop", "crop_margins"] },
  resize: { to: "source", needs: ["width", "height"] },
  thumbnail: { to: "jpg", needs: ["width", "height"] },
  select_pages: { to: "source", needs: ["pages"] },
  trim: { to: "source", needs: ["trim_start", "trim_end"] },
  metadata: { to: "source", needs: ["title", "author", "subject", "keywords", "bookmarks", "strip_metadata"] },
  fill_form: { to: "source", needs: ["form_data"] },
  flatten: { to: "source", needs: ["flatten"] },
  attach: { to: "source", needs: ["attachment_upload_id", "facturx_upload_id"] },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/** @returns the row of the operation */
export const operationNamed = (name: OperationName): Operation => operations[name];
