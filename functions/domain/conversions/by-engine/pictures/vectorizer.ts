import type { ConversionRow } from "../../conversion.ts";
import { DRAWN, stamped } from "./raster.ts";

/** Images that are traced to drawings. */
export const vectorizerConversions: readonly ConversionRow[] = [
  stamped({
    from: ["jpg", "png", "apng", "webp", "gif", "tiff", "avif"],
    to: "svg",
    fidelity: "content_only",
    options: ["colors", ...DRAWN],
    costMs: 1_200,
    last: true,
  }),
];
