import * as z from "zod/mini";
import { described } from "./described.ts";

/** Dots per inch: 72 is a point a pixel; 600 is what a printer shows. */
const DPI_MIN = 18;
const DPI_MAX = 600;

export const pageOptions = {
  pages: described(
    z.string().check(z.maxLength(500), z.regex(/^\s*\d+(?:\s*-\s*\d*)?(?:\s*,\s*\d+(?:\s*-\s*\d*)?)*\s*$/)),
    "Pages to take, from 1: `1-3,7,9-`. Default: all.",
  ),
  dpi: described(
    z.int().check(z.minimum(DPI_MIN), z.maximum(DPI_MAX)),
    "Dots per inch at which pages are drawn. Default 150.",
  ),
  page_size: described(
    z.enum(["auto", "a3", "a4", "a5", "letter", "legal"]),
    "Size of the pages. `auto` is as large as the picture, and A4 for text. Default `auto`.",
  ),
  page_orientation: described(
    z.enum(["auto", "portrait", "landscape"]),
    "Direction of the pages. `auto` follows the picture. Default `auto`.",
  ),
  page_margin: described(
    z.number().check(z.minimum(0), z.maximum(100)),
    "Margin of the pages in millimetres. Default: 0 around pictures, 20 around text.",
  ),
  password: described(
    z.string().check(z.minLength(1), z.maxLength(200)),
    "Password that opens the file. It is not shown in the job.",
  ),
  split: described(
    z.boolean(),
    "Make a file of its own of each page, or of each frame of a GIF or a WebP. Default false.",
  ),
  ocr: described(z.boolean(), "Read the text in pictures and scanned pages (optical character recognition, English)."),
  ocr_language: described(
    z
      .string()
      .check(
        z.maxLength(60),
        z.regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z]{2,8}){0,2}(?:\+[A-Za-z]{2,8}(?:[-_][A-Za-z]{2,8}){0,2}){0,4}$/),
      ),
    "Languages of the text that is read, up to five: `de`, `en+fr`, `zh-Hant`, or Tesseract's codes. Default English.",
  ),
} as const;
