import { at, type Format, says } from "../format.ts";

/** E-books for discontinued devices: read-only. */
export const oldBookFormats = [
  {
    id: "lit",
    name: "Microsoft Reader (LIT)",
    family: "ebook",
    extensions: ["lit"],
    mediaTypes: ["application/x-ms-reader"],
    keeps: ["text", "styles", "pictures", "rows"],
    magic: [[says(0, "ITOLITLS")]],
  },
  {
    id: "lrf",
    name: "Sony Reader (LRF)",
    family: "ebook",
    extensions: ["lrf", "lrx"],
    mediaTypes: ["application/x-sony-bbeb"],
    keeps: ["text", "styles", "pictures", "rows"],
    magic: [[at(0, "4c 00 52 00 46 00 00 00")]],
  },
  {
    id: "chm",
    name: "Windows Help (CHM)",
    family: "ebook",
    extensions: ["chm"],
    mediaTypes: ["application/vnd.ms-htmlhelp", "application/x-chm"],
    keeps: ["text", "styles", "pictures", "rows"],
    magic: [[says(0, "ITSF")]],
  },
  {
    id: "pdb",
    name: "Palm book (PDB)",
    family: "ebook",
    extensions: ["pdb"],
    mediaTypes: ["application/vnd.palm"],
    keeps: ["text", "styles", "pictures"],
    // PalmDoc and eReader, by type and creator.
    magic: [[says(60, "TEXtREAd")], [says(60, "PNRdPPrs")]],
  },
] as const satisfies readonly Format[];
