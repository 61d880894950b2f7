import * as z from "zod/mini";
import { described } from "./described.ts";

export const archiveOptions = {
  level: described(
    z.int().check(z.minimum(1), z.maximum(9)),
    "Compression level: 1 is fastest, 9 is smallest. 7-Zip, XZ and bzip2: default 3, or 1 for large files.",
    ["writing"],
  ),
  zip_content: described(
    z.enum(["images", "hls"]),
    "Content of the ZIP: `images` are the images in a PDF, as they are in the file where possible; `hls` is a video for " +
      "streaming (HTTP Live Streaming), in one size or in the `sizes`.",
    ["writing"],
  ),
} as const;
