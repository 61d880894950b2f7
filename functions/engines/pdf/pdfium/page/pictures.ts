import sharp from "sharp";
import { readJpeg } from "../../pdflib/jpeg.ts";
import type { PdfPage } from "./document.ts";
import { type Pdfium, withMemory } from "./module.ts";
import { type Matrix, matrixOf } from "./objects.ts";
import type { PictureArea } from "./picture-areas.ts";

/** A picture extracted from a page as a separate file. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  readonly mediaType: "image/jpeg" | "image/png";
}

/** Maximum pixels of an extracted picture; larger ones are scaled down. */
const PICTURE_PIXELS_MAX = 16_000_000;

/** @returns a picture as a file, rotated and cropped as on the page; undefined if it cannot be drawn */
export const takePicture = async (page: PdfPage, { path }: PictureArea): Promise<PictureFile | undefined> => {
  const object = objectAt(page, path);
  return jpegOf(page, object) ?? (await drawn(page, object));
};

const objectAt = ({ document: { pdfium }, handle }: PdfPage, [first = 0, ...further]: readonly number[]): number =>
  further.reduce(
    (form, index) => pdfium.call.FPDFFormObj_GetObject(form, index),
    pdfium.call.FPDFPage_GetObject(handle, first),
  );

const METADATA_BYTES = 28;
const GRAY_OR_RGB: readonly number[] = [1, 2, 4, 5, 7];

/** @returns the JPEG embedded in the PDF, byte for byte, if it is upright and displayed unchanged */
const jpegOf = (page: PdfPage, object: number): PictureFile | undefined => {
  const { pdfium } = page.document;
  const { handle } = page;
  const { call } = pdfium;
  const [a, b, c, d] = matrixOf(pdfium, object);
  const upright = a > 0 && d > 0 && Math.abs(b) < 0.01 * a && Math.abs(c) < 0.01 * d;
  if (!upright || call.FPDFPageObj_HasTransparency(object) !== 0 || filtersOf(pdfium, object) !== "DCTDecode") {
    return undefined;
  }
  const [bits = 0, space = 0] = withMemory(pdfium, METADATA_BYTES, (place) => {
    call.FPDFImageObj_GetImageMetadata(object, handle, place);
    return [pdfium.view().getUint32(place + 16, true), pdfium.view().getInt32(place + 20, true)];
  });
  if (!GRAY_OR_RGB.includes(space) || (bits !== 8 && bits !== 24)) {
    return undefined;
  }
  const size = call.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  const bytes = withMemory(pdfium, size, (place) => {
    call.FPDFImageObj_GetImageDataRaw(object, place, size);
    return pdfium.bytes().slice(place, place + size);
  });
  // Office programs do not show four inks with a profile as a viewer of PDFs does.
  const components = readJpeg(Buffer.from(bytes.buffer))?.components;
  const isShown = (components === 1 || components === 3) && isOpaque(page, object);
  return isShown ? { bytes, mediaType: "image/jpeg" } : undefined;
};

/** Side in pixels of the sample of a picture that shows whether it has a mask. */
const SAMPLE_SIDE = 32;

/** @returns whether no mask makes parts of the picture transparent, which PDFium does not say of its object */
const isOpaque = (page: PdfPage, object: number): boolean => {
  const pixels = renderedWith(page, object, [SAMPLE_SIDE, 0, 0, SAMPLE_SIDE, 0, 0]);
  if (pixels === undefined) {
    return false;
  }
  const { data, width, height } = pixels;
  // The outermost pixels may be partly outside.
  return data.every((value, index) => {
    const [x, y] = [(index >> 2) % width, Math.floor((index >> 2) / width)];
    return index % 4 !== 3 || value === 255 || x === 0 || y === 0 || x === width - 1 || y === height - 1;
  });
};

const FILTER_BYTES = 64;

const filtersOf = (pdfium: Pdfium, object: number): string => {
  const count = pdfium.call.FPDFImageObj_GetImageFilterCount(object);
  return Array.from({ length: count }, (_, index) =>
    withMemory(pdfium, FILTER_BYTES, (place) => {
      const length = pdfium.call.FPDFImageObj_GetImageFilter(object, index, place, FILTER_BYTES);
      return Buffer.from(pdfium.bytes().subarray(place, place + Math.max(0, length - 1))).toString("latin1");
    }),
  ).join();
};

/** PDFium renders an object in points, so the matrix is scaled up to keep all pixels. */
const drawn = async (page: PdfPage, object: number): Promise<PictureFile | undefined> => {
  const { pdfium } = page.document;
  const pixels = renderedWith(page, object, enlarged(matrixOf(pdfium, object), pixelsOf(pdfium, object)));
  if (pixels === undefined) {
    return undefined;
  }
  const { data, width, height } = pixels;
  const bytes = await sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 4 })
    .toBuffer();
  return { bytes, mediaType: "image/png" };
};

interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** @returns the pixels of a picture with another matrix, in red, green, blue and alpha */
const renderedWith = (page: PdfPage, object: number, matrix: Matrix): Pixels | undefined => {
  const { pdfium, open } = page.document;
  const { call } = pdfium;
  const own = matrixOf(pdfium, object);
  setMatrix(pdfium, object, matrix);
  const bitmap = call.FPDFImageObj_GetRenderedBitmap(open.handle, page.handle, object);
  setMatrix(pdfium, object, own);
  if (bitmap === 0) {
    return undefined;
  }
  try {
    const size = { width: call.FPDFBitmap_GetWidth(bitmap), height: call.FPDFBitmap_GetHeight(bitmap) };
    return { ...size, data: rgbaOf(pdfium, bitmap, size) };
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
};

const pixelsOf = (pdfium: Pdfium, object: number): number =>
  withMemory(pdfium, 8, (place) => {
    pdfium.call.FPDFImageObj_GetImagePixelSize(object, place, place + 4);
    return pdfium.view().getUint32(place, true) * pdfium.view().getUint32(place + 4, true);
  });

const enlarged = ([a, b, c, d]: Matrix, pixels: number): Matrix => {
  const points = Math.abs(a * d - b * c) || 1;
  const factor = Math.sqrt(Math.min(PICTURE_PIXELS_MAX, Math.max(1, pixels)) / points);
  return [a * factor, b * factor, c * factor, d * factor, 0, 0];
};

const setMatrix = (pdfium: Pdfium, object: number, matrix: Matrix): void =>
  withMemory(pdfium, 24, (place) => {
    const view = pdfium.view();
    for (const [index, value] of matrix.entries()) {
      view.setFloat32(place + index * 4, value, true);
    }
    pdfium.call.FPDFPageObj_SetMatrix(object, place);
  });

/** Bitmap formats (fpdfview.h): gray, BGR, BGRx, BGRA. */
const CHANNELS: Readonly<Record<number, number>> = { 1: 1, 2: 3, 3: 4, 4: 4 };
const WITH_ALPHA = 4;

const rgbaOf = (pdfium: Pdfium, bitmap: number, { width, height }: { width: number; height: number }): Uint8Array => {
  const { call } = pdfium;
  const format = call.FPDFBitmap_GetFormat(bitmap);
  const channels = CHANNELS[format] ?? WITH_ALPHA;
  const [start, stride] = [call.FPDFBitmap_GetBuffer(bitmap), call.FPDFBitmap_GetStride(bitmap)];
  const bytes = pdfium.bytes();
  const [green, red] = channels === 1 ? [0, 0] : [1, 2];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0, from = start + y * stride; x < width; x += 1, from += channels, to += 4) {
      data[to] = bytes[from + red] ?? 0;
      data[to + 1] = bytes[from + green] ?? 0;
      data[to + 2] = bytes[from] ?? 0;
      data[to + 3] = format === WITH_ALPHA ? (bytes[from + 3] ?? 0) : 255;
    }
  }
  return data;
};
