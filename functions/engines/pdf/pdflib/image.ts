import { type PDFDict, type PDFDocument, PDFName, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";

/** A picture as stored in a PDF (ISO 32000-1, 8.9.5): encoded bytes and decoding parameters. */
export interface StoredImage {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  /** `predicted` is PNG image data: compressed, with a filter per row. */
  readonly coding: "jpeg" | "predicted" | "deflated";
  /** 1: grayscale or palette; 3: red, green, blue; 4: CMYK. */
  readonly components: 1 | 3 | 4;
  readonly bits: number;
  /** Whether 0 is full ink, as in JPEG files by Adobe programs. */
  readonly inverted?: boolean;
  /** Three bytes per color. */
  readonly palette?: Uint8Array | undefined;
  /** ICC profile; without it, colors are device colors. */
  readonly profile?: Uint8Array | undefined;
  /** The opacity of each pixel, or the one transparent color. */
  readonly mask?: StoredImage | readonly number[] | undefined;
}

/** Embeds a picture in the document. */
export const storeImage = (document: PDFDocument, image: StoredImage): PDFRef => {
  const { context } = document;
  const { width, height, bits, inverted, mask, components } = image;
  const dictionary = context.obj({
    Type: "XObject",
    Subtype: "Image",
    Width: width,
    Height: height,
    BitsPerComponent: bits,
    ...(inverted ? { Decode: Array.from({ length: components }, () => [1, 0]).flat() } : {}),
  });
  dictionary.set(PDFName.of("ColorSpace"), colorSpaceOf(document, image));
  setCoding(dictionary, image);
  if (mask !== undefined) {
    const [name, value] =
      "bytes" in mask ? (["SMask", storeImage(document, mask)] as const) : (["Mask", context.obj([...mask])] as const);
    dictionary.set(PDFName.of(name), value);
  }
  return context.register(PDFRawStream.of(dictionary, image.bytes));
};

const DEVICE = { 1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK" } as const;

const colorSpaceOf = (document: PDFDocument, { components, palette, profile }: StoredImage) => {
  const { context } = document;
  const channels = palette === undefined ? components : 3;
  const device = PDFName.of(DEVICE[channels]);
  const base =
    profile === undefined
      ? device
      : context.obj([PDFName.of("ICCBased"), context.register(context.flateStream(profile, { N: channels }))]);
  return palette === undefined
    ? base
    : context.obj([
        PDFName.of("Indexed"),
        base,
        palette.length / 3 - 1,
        context.register(context.flateStream(palette)),
      ]);
};

const PNG_PREDICTOR = 15;

const setCoding = (dictionary: PDFDict, { coding, components, bits, width }: StoredImage): void => {
  dictionary.set(PDFName.of("Filter"), PDFName.of(coding === "jpeg" ? "DCTDecode" : "FlateDecode"));
  if (coding === "predicted") {
    const parameters = { Predictor: PNG_PREDICTOR, Colors: components, BitsPerComponent: bits, Columns: width };
    dictionary.set(PDFName.of("DecodeParms"), dictionary.context.obj(parameters));
  }
};
