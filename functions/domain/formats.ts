/** The table of formats: what they are called, how they are told from their bytes, what they can carry. */

export type Family = "image" | "vector" | "document";

/** What a format can carry, as far as a conversion could lose it. */
export type Trait = "pixels" | "shapes" | "alpha" | "frames" | "colour_profile" | "metadata" | "text";

/** Bytes at an offset that a file of the format has, in hexadecimal; `??` stands for any byte. */
export interface Magic {
  readonly offset: number;
  readonly hex: string;
}

export interface Format {
  readonly id: string;
  readonly name: string;
  readonly family: Family;
  /** Without the dot; the first is the one that we write. */
  readonly extensions: readonly string[];
  /** The first is the one that we write. */
  readonly mediaTypes: readonly string[];
  readonly carries: readonly Trait[];
  /** Pixels that a side of a picture can have at most, where the format ends before we do. */
  readonly sidePixelsMax?: number;
  /** Whether it may stand in the middle of a route: it loses nothing of its family. */
  readonly hub?: boolean;
  /** Any one of these tells the format; each is a list of magics that must all be there. */
  readonly magic?: readonly (readonly Magic[])[];
  /** ISO base media files: the brands that tell the format (ISO/IEC 14496-12, the `ftyp` box). */
  readonly brands?: readonly string[];
  /** XML: the local name of the root element. */
  readonly xmlRoot?: string;
  /** Told by nothing but the shape of its text. */
  readonly plainText?: boolean;
}

const at = (offset: number, hex: string): Magic => ({ offset, hex });

export const formats = [
  {
    id: "jpg",
    name: "JPEG",
    family: "image",
    extensions: ["jpg", "jpeg", "jpe", "jfif", "jif"],
    mediaTypes: ["image/jpeg", "image/jpg", "image/pjpeg"],
    carries: ["pixels", "colour_profile", "metadata"],
    sidePixelsMax: 65_535,
    magic: [[at(0, "ff d8 ff")]],
  },
  {
    id: "png",
    name: "PNG",
    family: "image",
    extensions: ["png"],
    mediaTypes: ["image/png", "image/x-png"],
    carries: ["pixels", "alpha", "colour_profile", "metadata"],
    hub: true,
    magic: [[at(0, "89 50 4e 47 0d 0a 1a 0a")]],
  },
  {
    id: "webp",
    name: "WebP",
    family: "image",
    extensions: ["webp"],
    mediaTypes: ["image/webp"],
    carries: ["pixels", "alpha", "frames", "colour_profile", "metadata"],
    sidePixelsMax: 16_383,
    magic: [[at(0, "52 49 46 46"), at(8, "57 45 42 50")]],
  },
  {
    id: "gif",
    name: "GIF",
    family: "image",
    extensions: ["gif"],
    mediaTypes: ["image/gif"],
    carries: ["pixels", "alpha", "frames"],
    sidePixelsMax: 65_535,
    magic: [[at(0, "47 49 46 38 37 61")], [at(0, "47 49 46 38 39 61")]],
  },
  {
    id: "tiff",
    name: "TIFF",
    family: "image",
    extensions: ["tiff", "tif"],
    mediaTypes: ["image/tiff", "image/x-tiff"],
    carries: ["pixels", "alpha", "colour_profile", "metadata"],
    magic: [[at(0, "49 49 2a 00")], [at(0, "4d 4d 00 2a")], [at(0, "49 49 2b 00")], [at(0, "4d 4d 00 2b")]],
  },
  {
    id: "avif",
    name: "AVIF",
    family: "image",
    extensions: ["avif"],
    mediaTypes: ["image/avif"],
    carries: ["pixels", "alpha", "colour_profile", "metadata"],
    sidePixelsMax: 16_384,
    brands: ["avif", "avis"],
  },
  {
    id: "heic",
    name: "HEIC",
    family: "image",
    extensions: ["heic", "heif", "hif"],
    mediaTypes: ["image/heic", "image/heif"],
    carries: ["pixels", "alpha", "colour_profile", "metadata"],
    brands: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"],
  },
  {
    id: "bmp",
    name: "BMP",
    family: "image",
    extensions: ["bmp", "dib"],
    mediaTypes: ["image/bmp", "image/x-bmp", "image/x-ms-bmp"],
    carries: ["pixels", "alpha"],
    // Two letters alone would tell many a text; the reserved bytes are zero, and so are three of the header's size.
    magic: [[at(0, "42 4d"), at(6, "00 00 00 00"), at(15, "00 00 00")]],
  },
  {
    id: "jxl",
    name: "JPEG XL",
    family: "image",
    extensions: ["jxl"],
    mediaTypes: ["image/jxl"],
    carries: ["pixels", "alpha", "frames", "colour_profile", "metadata"],
    magic: [[at(0, "ff 0a")], [at(0, "00 00 00 0c 4a 58 4c 20 0d 0a 87 0a")]],
  },
  {
    id: "jp2",
    name: "JPEG 2000",
    family: "image",
    extensions: ["jp2", "j2k", "jpf", "jpx", "j2c", "jpc"],
    mediaTypes: ["image/jp2", "image/jpx", "image/j2k"],
    carries: ["pixels", "alpha", "colour_profile", "metadata"],
    magic: [[at(0, "00 00 00 0c 6a 50 20 20 0d 0a 87 0a")]],
  },
  {
    id: "psd",
    name: "Photoshop",
    family: "image",
    extensions: ["psd", "psb"],
    mediaTypes: ["image/vnd.adobe.photoshop", "image/x-photoshop", "application/x-photoshop"],
    carries: ["pixels", "alpha", "colour_profile", "metadata"],
    magic: [[at(0, "38 42 50 53 00 01")], [at(0, "38 42 50 53 00 02")]],
  },
  {
    id: "qoi",
    name: "QOI",
    family: "image",
    extensions: ["qoi"],
    mediaTypes: ["image/qoi"],
    carries: ["pixels", "alpha"],
    magic: [[at(0, "71 6f 69 66")]],
  },
  {
    id: "svg",
    name: "SVG",
    family: "vector",
    extensions: ["svg"],
    mediaTypes: ["image/svg+xml"],
    carries: ["shapes", "alpha"],
    xmlRoot: "svg",
  },
  {
    id: "pdf",
    name: "PDF",
    family: "document",
    extensions: ["pdf"],
    mediaTypes: ["application/pdf"],
    carries: ["text"],
    magic: [[at(0, "25 50 44 46 2d")]],
  },
  {
    id: "txt",
    name: "Plain text",
    family: "document",
    extensions: ["txt", "text"],
    mediaTypes: ["text/plain"],
    carries: ["text"],
    plainText: true,
  },
] as const satisfies readonly Format[];

export type FormatId = (typeof formats)[number]["id"];

const byId: ReadonlyMap<string, Format> = new Map(formats.map((format) => [format.id, format]));

const byAlias: ReadonlyMap<string, FormatId> = new Map(
  formats.flatMap((format) => [format.id, ...format.extensions, ...format.mediaTypes].map((name) => [name, format.id])),
);

/** @returns the row of a format. The id is one of the table's, so there always is one. */
export const formatOf = (id: FormatId): Format => {
  const format = byId.get(id);
  if (format === undefined) {
    throw new TypeError(`No format has the id ${id}.`);
  }
  return format;
};

/** @returns the format that an id, an extension (`.JPG`) or a media type (`image/jpeg; q=1`) names, in any case */
export const formatNamed = (name: string): FormatId | undefined =>
  byAlias.get((name.split(";", 1)[0] ?? "").trim().toLowerCase().replace(/^\./, ""));

/** @returns the extension that we write, without the dot */
export const extensionOf = (id: FormatId): string => formatOf(id).extensions[0] ?? id;

/** @returns the media type that we write */
export const mediaTypeOf = (id: FormatId): string => formatOf(id).mediaTypes[0] ?? "application/octet-stream";
