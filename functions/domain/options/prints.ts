import * as z from "zod/mini";
import { described } from "./described.ts";

export const printOptions = {
  scale: described(
    z.number().check(z.minimum(0.1), z.maximum(2)),
    "How large a document is printed: 0.5 is half as large. Default 1, and less where the document is wider than the page.",
  ),
  print_background: described(z.boolean(), "Print the colours and pictures behind the text. Default true."),
  page_numbers: described(z.boolean(), "Print the number of each page into its lower margin. Default false."),
  css_media: described(
    z.enum(["print", "screen"]),
    "The medium that the style sheets of the document are taken for. Default `print` on pages, `screen` in pictures.",
  ),
} as const;
