import * as z from "zod/mini";
import { described } from "./described.ts";

export const archiveOptions = {
  level: described(
    z.int().check(z.minimum(1), z.maximum(9)),
    "How hard to compress: 1 is fast, 9 is small. The default is a middle that is fast.",
  ),
} as const;
