import * as z from "zod/mini";
import { described } from "./described.ts";

export const tableOptions = {
  encoding: described(
    z.string().check(z.regex(/^[\w.:+-]{2,40}$/)),
    "Encoding of a text that is read, by its name in the WHATWG Encoding Standard. Default: told from the bytes.",
  ),
  delimiter: described(
    z.enum([",", ";", "\t", "|"]),
    "What stands between the columns of the CSV, the one that is read or, where none is read, the one that is written. " +
      "Default: told from the text; a comma where one is written.",
  ),
  header: described(z.boolean(), "Whether the first row of the table that is read names the columns. Default true."),
  sheet: described(
    z.union([z.string().check(z.minLength(1), z.maxLength(200)), z.int().check(z.minimum(1), z.maximum(10_000))]),
    "Sheet to take, by name or by number from 1. Default: all, each a file of its own where the target holds one.",
  ),
  table: described(
    z.string().check(z.minLength(1), z.maxLength(200)),
    "Table or layer to take, by name. Default: all, each a file of its own where the target holds one.",
  ),
  indent: described(
    z.int().check(z.minimum(0), z.maximum(8)),
    "Spaces by which each level is set in; 0 writes all in one line. Default 2.",
  ),
} as const;
