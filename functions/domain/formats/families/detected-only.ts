import { at, type Format } from "../format.ts";

/**
 * Formats that are detected, although no conversion supports them, so that they are not mistaken for the text or the
 * archive that they also are.
 */
export const recognizedFormats = [
  {
    id: "jls",
    name: "JPEG-LS",
    family: "image",
    extensions: ["jls"],
    mediaTypes: ["image/jls"],
    keeps: ["pixels"],
    // Its frame starts immediately, with a unique marker (ISO/IEC 14495-1, C.2); everything else is like JPEG.
    magic: [[at(0, "ff d8 ff f7")]],
  },
] as const satisfies readonly Format[];
