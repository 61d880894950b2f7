import * as z from "zod/mini";
import { described } from "./described.ts";

export const officeOptions = {
  pdf_a: described(z.enum(["1b", "2b", "3b"]), "Write PDF/A of this part and level. Default: a plain PDF.", [
    "writing",
  ]),
  sheet_fit: described(
    z.enum(["width", "page", "none"]),
    "How each sheet fits the page: `width` is one page wide (landscape if the sheet is wide), `page` a single page, " +
      "`none` the workbook's scale. Default: `width`, unless the workbook sets a scale, print areas or page breaks.",
  ),
} as const;
