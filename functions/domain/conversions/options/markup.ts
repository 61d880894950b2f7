import * as z from "zod/mini";
import { described } from "./described.ts";

export const markupOptions = {
  markdown: described(
    z.enum(["gfm", "commonmark", "pandoc", "multimarkdown", "php_extra"]),
    "Markdown dialect of the source or, if the source is not Markdown, of the target. Default: `gfm` (GitHub).",
    ["reading", "writing"],
  ),
} as const;
