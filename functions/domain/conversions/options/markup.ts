import * as z from "zod/mini";
import { withDefault } from "./described.ts";

export const markupOptions = {
  markdown: withDefault(
    z.enum(["gfm", "commonmark", "pandoc", "multimarkdown", "php_extra"]),
    "gfm",
    "Markdown dialect of the source or, if the source is not Markdown, of the target. `gfm` is GitHub's.",
    ["reading", "writing"],
  ),
} as const;
