import * as z from "zod/mini";
import { suggestion } from "../../nearest-name.ts";
import { described, withDefault } from "./described.ts";
import { encodingNames, isEncoding } from "./encodings.ts";

/** Default spaces per indentation level. */
export const INDENT = 2;

const ENCODING = "the name of an encoding in the WHATWG Encoding Standard, such as `utf-8` or `windows-1252`";

export const tableOptions = {
  encoding: described(
    z.string().check(
      z.regex(/^[\w.:+-]{2,40}$/, ENCODING),
      z.refine(isEncoding, {
        error: ({ input }) => `\`encoding\` must be ${ENCODING}.${suggestion(String(input), encodingNames)}`,
      }),
    ),
    "Text encoding of the source, by its name in the WHATWG Encoding Standard. Default: detected from the content.",
    ["reading", "spelling"],
  ),
  delimiter: described(
    z.enum([",", ";", "\t", "|"]),
    "Column delimiter of the source CSV or, if the source is not CSV, of the target. Default: detected in the source; a " +
      "comma in the target.",
    ["reading", "writing"],
  ),
  header: withDefault(z.boolean(), true, "Whether the first row of the source contains the column names.", [
    "reading",
    "spelling",
  ]),
  sheet: described(
    z.union([z.string().check(z.minLength(1), z.maxLength(200)), z.int().check(z.minimum(1), z.maximum(10_000))]),
    "Sheet to convert, by name or by number, starting at 1. Default: all, as separate files if the target supports only one.",
    ["reading"],
  ),
  values: withDefault(
    z.enum(["raw", "shown"]),
    "raw",
    "Cells of a workbook. `raw`: numbers in full and dates in ISO 8601. `shown`: the text that the number format of each " +
      "cell displays in US English, such as percentages, currencies and dates.",
    ["reading"],
  ),
  table: described(
    z.string().check(z.minLength(1), z.maxLength(200)),
    "Table or layer to convert, by name. Default: all, as separate files if the target supports only one.",
    ["reading"],
  ),
  tables: withDefault(
    z.enum(["each", "page"]),
    "each",
    "Sheets of a PDF. `each`: one for each table; the text around tables is left out. `page`: one for each page, with its " +
      "tables and the text around them from top to bottom. A PDF without tables is written as with `page`.",
    ["writing"],
  ),
  indent: withDefault(
    z.int().check(z.minimum(0), z.maximum(8)),
    INDENT,
    "Spaces per indentation level; 0 writes everything in one line.",
    ["writing"],
  ),
} as const;
