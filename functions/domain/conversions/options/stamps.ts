import * as z from "zod/mini";
import { described, uploadOption, withDefault } from "./described.ts";
import { pageRanges } from "./pages.ts";

/** The formats of an image that can be a watermark. */
export const WATERMARK_IMAGES = ["png", "jpg", "webp", "gif", "tiff", "avif", "svg"] as const;

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
} as const;
