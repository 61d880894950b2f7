import * as z from "zod/mini";
import { described } from "./described.ts";

export const markupOptions = {
  markdown: described(
    z.enum(["gfm", "commonmark", "pandoc", "multimarkdown", "php_extra"]),
    "The Markdown that is read or, where none is read, written. Default `gfm`, which is GitHub's.",
  ),
} as const;
