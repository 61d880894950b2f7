import { at, type Format, says } from "../format.ts";

/**
 * Camera raw files: sensor data that has not been processed to an image. Most are TIFF files, so the filename decides;
 * the others have a signature.
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
  {
    id: "cr3",
    name: "Canon CR3",
    family: "image",
    extensions: ["cr3"],
    mediaTypes: ["image/x-canon-cr3"],
    keeps: ["pixels", "color_profile", "metadata"],
    brands: ["crx "],
  },
  {
    id: "raf",
    name: "Fujifilm RAF",
    family: "image",
    extensions: ["raf"],
    mediaTypes: ["image/x-fuji-raf"],
    keeps: ["pixels", "color_profile", "metadata"],
    magic: [[says(0, "FUJIFILMCCD-RAW ")]],
  },
  {
    id: "orf",
    name: "Olympus ORF",
    family: "image",
    extensions: ["orf"],
    mediaTypes: ["image/x-olympus-orf"],
    keeps: ["pixels", "color_profile", "metadata"],
    magic: [[says(0, "IIRO")], [says(0, "IIRS")], [says(0, "MMOR")]],
  },
  {
    id: "rw2",
    name: "Panasonic RW2",
    family: "image",
    extensions: ["rw2", "rwl"],
    mediaTypes: ["image/x-panasonic-rw2"],
    keeps: ["pixels", "color_profile", "metadata"],
    magic: [[at(0, "49 49 55 00")]],
  },
] as const satisfies readonly Format[];

/** @returns whether a format contains sensor data, which must be developed */
export const isCameraRaw = (id: string): boolean => cameraFormats.some((format) => format.id === id);
