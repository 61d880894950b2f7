import * as z from "zod/mini";
import { described } from "./described.ts";

export const archiveOptions = {
  level: described(
    z.int().check(z.minimum(1), z.maximum(9)),
    "Compression level: 1 is fastest, 9 is smallest. The default balances both.",
    ["writing"],
  ),
} as const;
