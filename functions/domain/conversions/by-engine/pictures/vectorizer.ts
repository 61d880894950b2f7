import type { ConversionRow } from "../../conversion.ts";

/** Images that are traced to drawings. */
export const vectorizerConversions: readonly ConversionRow[] = [
  {
    from: ["jpg", "png", "apng", "webp", "gif", "tiff", "avif"],
    to: "svg",
    fidelity: "content_only",
    options: ["colors", "width", "height", "fit", "background", "strip_metadata"],
    costMs: 1_200,
    last: true,
  },
];
