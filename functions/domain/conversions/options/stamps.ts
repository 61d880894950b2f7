import * as z from "zod/mini";
import { described, uploadOption, withDefault } from "./described.ts";
import { pageRanges } from "./pages.ts";

/** The formats of an image that can be a watermark. */
export const WATERMARK_IMAGES = ["png", "jpg", "webp", "gif", "tiff", "avif", "svg"] as const;

/** Letters of Windows-1252, which the fonts that every viewer has contain. */
const IS_LATIN = /^[\x20-\x7e\xa1-\xff–—‘’“”•…€]*$/;

/** Watermarks from an upload, and what only pages have of them. */
export const stampOptions = {
  watermark_upload_id: uploadOption(
    [...WATERMARK_IMAGES, "pdf"],
    "ID of an upload to use as the watermark instead of a text: an image, or for PDF also the first page of a PDF. A form " +
      "can contain the file itself in a field with this name.",
    ["writing"],
  ),
  watermark_font_size: described(
    z.number().check(z.minimum(1), z.maximum(1_000)),
    "Font size of `watermark_text` in points, instead of `watermark_size`.",
    ["writing"],
  ),
  watermark_layer: withDefault(
    z.enum(["above", "below"]),
    "above",
    "Whether the watermark is above or below the content of the pages.",
    ["writing"],
  ),
  watermark_pages: described(
    pageRanges(),
    "Pages with the watermark, as numbered in the result: `1-3,7,9-`. Default: all.",
    ["writing"],
  ),
  page_number_format: described(
    z.string().check(
      z.maxLength(60),
      z.refine(
        (text) => text.includes("{page}") && IS_LATIN.test(text),
        "text with `{page}`, in Western European letters",
      ),
    ),
    "Text of page numbers: `{page}` is the number of the page, `{pages}` the last number, as in `{page} / {pages}`. " +
      "Default: `{page}`.",
    ["writing"],
  ),
  page_number_position: withDefault(
    z.enum(["bottom", "bottom_left", "bottom_right", "top", "top_left", "top_right"]),
    "bottom",
    "Position of page numbers.",
    ["writing"],
  ),
  page_number_start: withDefault(
    z.int().check(z.minimum(1), z.maximum(100_000)),
    1,
    "Number of the first page that has one.",
    ["writing"],
  ),
  page_number_pages: described(
    pageRanges(),
    "Pages with a page number, as numbered in the result: `2-`. Default: all.",
    ["writing"],
  ),
  crop_margins: described(
    z
      .string()
      .check(
        z.regex(
          /^\s*\d{1,4}(?:\.\d{1,3})?(?:\s*,\s*\d{1,4}(?:\.\d{1,3})?){0,3}\s*$/,
          "one to four numbers such as `10` or `10,15,10,15`",
        ),
      ),
    "Millimeters to hide at the sides of each page: all sides, or top, right, bottom and left: `10,15,10,15`.",
    ["writing"],
  ),
  pages_per_sheet: described(
    z.literal([2, 4, 6, 9]),
    "Number of pages to arrange on each sheet, which has the size of the first page.",
    ["writing"],
  ),
} as const;
