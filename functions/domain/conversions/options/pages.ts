import * as z from "zod/mini";
import { described, withDefault } from "./described.ts";

/** @returns whether no range ends before it starts */
const isAscending = (ranges: string): boolean =>
  ranges.split(",").every((range) => {
    const [first, last = ""] = range
      .replace("!", "")
      .split("-")
      .map((side) => side.trim());
    return last === "" || Number(last) >= Number(first);
  });

const RANGES = "page numbers and ranges such as `1-3,7,9-` or `!2`, starting at 1";

/** `7`, `1-3`, `9-`; `!2` and `!4-6` exclude pages. */
const RANGE = String.raw`!?\s*0*[1-9]\d*(?:\s*-\s*\d*)?`;

/** @returns a new schema of page numbers: each option has a description */
export const pageRanges = () =>
  z
    .string()
    .check(
      z.maxLength(500),
      z.regex(new RegExp(String.raw`^\s*${RANGE}(?:\s*,\s*${RANGE})*\s*$`), RANGES),
      z.refine(isAscending, RANGES),
    );

/** Dots per inch: 72 is one pixel per point; 600 is print resolution. */
const DPI_MIN = 18;
const DPI_MAX = 600;

export const pageOptions = {
  pages: described(
    pageRanges(),
    "Pages to convert, starting at 1: `1-3,7,9-`; `!2` is all pages but the second. Default: all.",
    ["reading"],
  ),
  dpi: described(
    z.int().check(z.minimum(DPI_MIN), z.maximum(DPI_MAX)),
    "Resolution of rendered pages in dots per inch. Default for images in a PDF: that of the file, or 150.",
  ),
  page_size: withDefault(
    z.enum(["auto", "a3", "a4", "a5", "letter", "legal"]),
    "auto",
    "Page size. `auto` is the size of the image, and A4 for text.",
  ),
  page_orientation: withDefault(
    z.enum(["auto", "portrait", "landscape"]),
    "auto",
    "Page orientation. `auto` follows the image.",
  ),
  page_margin: described(
    z.number().check(z.minimum(0), z.maximum(100)),
    "Page margin in millimeters. Default: 0 for images, 20 for text.",
  ),
  password: described(z.string().check(z.minLength(1), z.maxLength(200)), "Password of the file. Never returned.", [
    "reading",
  ]),
  layout: withDefault(
    z.enum(["flow", "exact", "text"]),
    "flow",
    "Layout of a document made from PDF. `flow` is editable text that resembles the pages; `exact` has each line at its " +
      "position on the page; `text` has paragraphs, lists and tables without the formatting of the pages.",
    ["writing"],
  ),
  split: withDefault(z.boolean(), false, "Write each page, or each frame of a GIF or WebP, to a separate file."),
  ocr: described(
    z.enum(["auto", "off", "force"]),
    "Text recognition (OCR). `auto`: in images, and in pages without text; if the target is not PDF, also in pages whose " +
      "fonts do not name their characters, and in scans with a digital number or header. `force`: in all pages, whose own " +
      "text is left out. Default when the target is PDF: `off`, or `auto` with `ocr_language`; otherwise `auto`.",
  ),
  ocr_language: described(
    z
      .string()
      .check(
        z.maxLength(60),
        z.regex(
          /^[A-Za-z]{2,8}(?:[-_][A-Za-z]{2,8}){0,2}(?:\+[A-Za-z]{2,8}(?:[-_][A-Za-z]{2,8}){0,2}){0,4}$/,
          "one to five language codes such as `de` or `en+fr`",
        ),
      ),
    "OCR languages, up to five: `de`, `en+fr`, `zh-Hant`, or Tesseract codes. Default: English.",
  ),
} as const;
