import { at, type Format } from "../format.ts";

/**
 * Formats that are told from their bytes though nothing here converts them, so that they are not taken for the text or
 * the archive that they also are.
 */
export const recognizedFormats = [
  {
    id: "jls",
    name: "JPEG-LS",
    family: "image",
    extensions: ["jls"],
    mediaTypes: ["image/jls"],
    carries: ["pixels"],
    // Its frame begins at once, with a marker of its own (ISO/IEC 14495-1, C.2); all else is like a JPEG.
    magic: [[at(0, "ff d8 ff f7")]],
  },
] as const satisfies readonly Format[];
