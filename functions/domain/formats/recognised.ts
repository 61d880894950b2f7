import { at, type Format, says } from "../format.ts";

/**
 * Formats that are told from their bytes though nothing here converts them, so that they are not taken for the text or
 * the archive that they also are.
 */
export const recognisedFormats = [
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
  {
    id: "rtf",
    name: "Rich text",
    family: "document",
    extensions: ["rtf"],
    mediaTypes: ["application/rtf", "text/rtf"],
    carries: ["text", "styles", "pictures", "rows"],
    magic: [[says(0, "{\\rtf")]],
  },
  {
    id: "doc",
    name: "Word 97",
    family: "document",
    extensions: ["doc", "dot"],
    mediaTypes: ["application/msword"],
    carries: ["text", "styles", "pictures", "rows"],
    streams: ["WordDocument"],
  },
  {
    id: "ppt",
    name: "PowerPoint 97",
    family: "presentation",
    extensions: ["ppt", "pps", "pot"],
    mediaTypes: ["application/vnd.ms-powerpoint"],
    carries: ["text", "layout", "styles", "pictures", "pages"],
    streams: ["PowerPoint Document"],
  },
  {
    id: "odt",
    name: "OpenDocument text",
    family: "document",
    extensions: ["odt", "ott"],
    mediaTypes: ["application/vnd.oasis.opendocument.text"],
    carries: ["text", "styles", "pictures", "rows"],
    members: ["=application/vnd.oasis.opendocument.text", "=application/vnd.oasis.opendocument.text-template"],
  },
  {
    id: "odp",
    name: "OpenDocument presentation",
    family: "presentation",
    extensions: ["odp", "otp"],
    mediaTypes: ["application/vnd.oasis.opendocument.presentation"],
    carries: ["text", "layout", "styles", "pictures", "pages"],
    members: ["=application/vnd.oasis.opendocument.presentation"],
  },
  {
    id: "odg",
    name: "OpenDocument drawing",
    family: "vector",
    extensions: ["odg", "otg"],
    mediaTypes: ["application/vnd.oasis.opendocument.graphics"],
    carries: ["shapes", "text", "pages"],
    members: ["=application/vnd.oasis.opendocument.graphics"],
  },
  {
    id: "eps",
    name: "PostScript",
    family: "vector",
    extensions: ["eps", "ps", "epsf"],
    mediaTypes: ["application/postscript"],
    carries: ["shapes", "text"],
    magic: [[says(0, "%!PS")], [at(0, "c5 d0 d3 c6")]],
  },
] as const satisfies readonly Format[];
