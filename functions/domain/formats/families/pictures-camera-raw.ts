import type { Format } from "../format.ts";

/**
 * Camera raw files: sensor data that has not been processed to an image. Most are TIFF files, so the filename decides.
 */
export const cameraFormats = [
  {
    id: "dng",
    name: "Digital Negative",
    family: "image",
    extensions: ["dng"],
    mediaTypes: ["image/x-adobe-dng"],
    keeps: ["pixels", "color_profile", "metadata"],
    named: "raw",
  },
  {
    id: "cr2",
    name: "Canon CR2",
    family: "image",
    extensions: ["cr2"],
    mediaTypes: ["image/x-canon-cr2"],
    keeps: ["pixels", "color_profile", "metadata"],
    named: "raw",
  },
  {
    id: "nef",
    name: "Nikon NEF",
    family: "image",
    extensions: ["nef", "nrw"],
    mediaTypes: ["image/x-nikon-nef"],
    keeps: ["pixels", "color_profile", "metadata"],
    named: "raw",
  },
  {
    id: "arw",
    name: "Sony ARW",
    family: "image",
    extensions: ["arw", "sr2", "srf"],
    mediaTypes: ["image/x-sony-arw"],
    keeps: ["pixels", "color_profile", "metadata"],
    named: "raw",
  },
  {
    id: "pef",
    name: "Pentax PEF",
    family: "image",
    extensions: ["pef"],
    mediaTypes: ["image/x-pentax-pef"],
    keeps: ["pixels", "color_profile", "metadata"],
    named: "raw",
  },
  {
    id: "srw",
    name: "Samsung SRW",
    family: "image",
    extensions: ["srw"],
    mediaTypes: ["image/x-samsung-srw"],
    keeps: ["pixels", "color_profile", "metadata"],
    named: "raw",
  },
] as const satisfies readonly Format[];
