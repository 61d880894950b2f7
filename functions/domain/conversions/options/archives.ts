import * as z from "zod/mini";
import { described } from "./described.ts";

export const archiveOptions = {
  level: described(
    z.int().check(z.minimum(1), z.maximum(9)),
    "Compression level: 1 is fastest, 9 is smallest. 7-Zip, XZ and bzip2: default 3, or 1 for large files.",
    ["writing"],
  ),
} as const;
