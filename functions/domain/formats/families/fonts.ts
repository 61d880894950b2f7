import { at, type Format, says } from "../format.ts";

/** Fonts: TrueType and PostScript (CFF) outlines differ, and wrappers accept both. */
export const fontFormats = [
  {
    id: "ttf",
    name: "TrueType font",
    family: "font",
    extensions: ["ttf"],
    mediaTypes: ["font/ttf", "font/sfnt", "application/x-font-ttf", "application/font-sfnt"],
    keeps: ["outlines"],
    // The version is followed by the number of tables, whose first byte is zero; Apple's fonts have letters as the
    // version.
    magic: [[at(0, "00 01 00 00 00")], [says(0, "true"), at(4, "00")]],
  },
  {
    id: "otf",
    name: "OpenType font",
    family: "font",
    extensions: ["otf"],
    mediaTypes: ["font/otf", "application/x-font-otf", "application/vnd.ms-opentype"],
    keeps: ["outlines"],
    magic: [[says(0, "OTTO"), at(4, "00")]],
  },
  {
    id: "woff",
    name: "WOFF",
    family: "font",
    extensions: ["woff"],
    mediaTypes: ["font/woff", "application/font-woff"],
    keeps: ["outlines"],
    magic: [[says(0, "wOFF")]],
  },
  {
    id: "woff2",
    name: "WOFF2",
    family: "font",
    extensions: ["woff2"],
    mediaTypes: ["font/woff2", "application/font-woff2"],
    keeps: ["outlines"],
    magic: [[says(0, "wOF2")]],
  },
  {
    id: "eot",
    name: "Embedded OpenType",
    family: "font",
    extensions: ["eot"],
    mediaTypes: ["application/vnd.ms-fontobject"],
    keeps: ["outlines"],
    // The version, and the signature after flags and names.
    magic: ["00 00 01 00", "01 00 02 00", "02 00 02 00"].map((version) => [at(8, version), at(34, "4c 50")]),
  },
  {
    id: "ttc",
    name: "TrueType collection",
    family: "font",
    extensions: ["ttc", "otc"],
    mediaTypes: ["font/collection"],
    keeps: ["outlines"],
    magic: [[says(0, "ttcf")]],
  },
  {
    id: "bdf",
    name: "bitmap font (BDF)",
    family: "font",
    extensions: ["bdf"],
    mediaTypes: ["application/x-font-bdf"],
    keeps: ["outlines"],
    magic: [[says(0, "STARTFONT ")]],
  },
] as const satisfies readonly Format[];
