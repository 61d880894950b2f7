import * as z from "zod/mini";
import { described, withDefault } from "./described.ts";

export const printOptions = {
  scale: described(
    z.number().check(z.minimum(0.1), z.maximum(2)),
    "Print scale: 0.5 is half the size. Default: 1, or less if the document is wider than the page.",
  ),
  print_background: withDefault(z.boolean(), true, "Print background colors and images."),
  page_numbers: withDefault(z.boolean(), false, "Print page numbers in the bottom margin."),
  css_media: described(z.enum(["print", "screen"]), "CSS media type."),
} as const;
