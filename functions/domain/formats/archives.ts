import { at, type Format } from "../format.ts";

/** Archives, and files that are only compressed. */
export const archiveFormats = [
  {
    id: "zip",
    name: "ZIP",
    family: "archive",
    extensions: ["zip"],
    mediaTypes: ["application/zip", "application/x-zip-compressed"],
    carries: ["files"],
    magic: [[at(0, "50 4b 03 04")], [at(0, "50 4b 05 06")], [at(0, "50 4b 30 30 50 4b 03 04")]],
  },
] as const satisfies readonly Format[];
