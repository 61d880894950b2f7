import * as z from "zod/mini";
import { withDefault } from "./described.ts";

export const markupOptions = {
  markdown: withDefault(
    z.enum(["gfm", "commonmark", "pandoc", "multimarkdown", "php_extra"]),
    "gfm",
    "Markdown dialect of the source or, if the source is not Markdown, of the target. `gfm` is GitHub's.",
    ["reading", "writing"],
  ),
  style: withDefault(
    z.enum(["default", "none"]),
    "default",
    "Style sheet of HTML made from Markdown that has none: `default` follows light and dark mode and has print rules.",
    ["writing"],
  ),
  attachments: withDefault(
    z.enum(["list", "embed"]),
    "list",
    "Attachments of a message: `list` shows their names and sizes, `embed` also puts the files into the result.",
  ),
} as const;
