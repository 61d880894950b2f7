import { WHITE } from "../../../../domain/conversions/by-engine/pictures/qualities.ts";
import type { PictureSize } from "../../../../domain/conversions/picture-sizes.ts";
import type { PdfPage } from "./document.ts";
import type { Box } from "./geometry.ts";

/** A rendered page: rows from the top, one byte per channel: grayscale, RGB or RGBA. */
export interface Bitmap extends PictureSize {
  readonly data: Uint8Array;
  readonly channels: 1 | 3 | 4;
  /** Resolution in pixels per inch. */
  readonly dpi: number;
}

/** Rendering options. */
interface Drawing extends PictureSize {
  readonly paper: Paper;
  /** The part of the page that is rendered, in points. @default the complete page */
  readonly area?: Box;
}

/** Background color: red, green, blue, alpha, each 0 to 255. */
type Paper = readonly [number, number, number, number];

const BGRX = 3;
const BGRA = 4;
/** Flags of fpdfview.h: render annotations; red before blue. */
const ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const POINTS_PER_INCH = 72;

/**
 * Renders a page with its annotations and form fields. A page without color becomes grayscale: a third of the bytes.
 */
export const renderPage = (page: PdfPage, { width, height, paper, area }: Drawing): Bitmap => {
  const { pdfium, open } = page.document;
  const { left, top, right, bottom } = area ?? { left: 0, top: 0, right: page.width, bottom: page.height };
  const [across, down] = [width / (right - left), height / (bottom - top)];
  const place = [-left * across, -top * down, page.width * across, page.height * down].map(Math.round);
  const [x = 0, y = 0, pageWidth = width, pageHeight = height] = place;
  const { call } = pdfium;
  const format = paper[3] === 255 ? BGRX : BGRA;
  const bitmap = call.FPDFBitmap_CreateEx(width, height, format, 0, 0);
  if (bitmap === 0) {
    throw new RangeError(`PDFium has no memory for ${width} × ${height} pixels.`);
  }
  try {
    const [red, green, blue, alpha] = paper;
    // The flag that puts red first does not apply to the fill color.
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, (alpha << 24) | (blue << 16) | (green << 8) | red);
    call.FPDF_RenderPageBitmap(bitmap, page.handle, x, y, pageWidth, pageHeight, 0, ANNOTATIONS | RED_FIRST);
    call.FPDF_FFLDraw(open.form, bitmap, page.handle, x, y, pageWidth, pageHeight, 0, RED_FIRST);
    const start = call.FPDFBitmap_GetBuffer(bitmap);
    const pixels = pdfium.bytes().subarray(start, start + width * height * 4);
    const dpi = across * POINTS_PER_INCH;
    return { width, height, dpi, ...(format === BGRA ? { data: pixels.slice(), channels: 4 } : withoutAlpha(pixels)) };
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
};

/** @returns the pixels as grayscale if all of them are gray, else as RGB */
const withoutAlpha = (pixels: Uint8Array): Pick<Bitmap, "data" | "channels"> => {
  // One number per pixel, the lowest byte first: red, green, blue, unused. Copying single bytes takes four times as long.
  const numbers = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  const gray = grayOf(numbers);
  return gray === undefined ? { data: rgbOf(numbers), channels: 3 } : { data: gray, channels: 1 };
};

const grayOf = (pixels: Int32Array): Uint8Array | undefined => {
  const data = new Uint8Array(pixels.length);
  for (let index = 0; index < pixels.length; index += 1) {
    const pixel = pixels[index] ?? 0;
    // Red equals green, and green equals blue.
    if (((pixel ^ (pixel >>> 8)) & 0xff_ff) !== 0) {
      return undefined;
    }
    data[index] = pixel;
  }
  return data;
};

/** Packs four pixels into three numbers. */
const rgbOf = (pixels: Int32Array): Uint8Array => {
  const packed = new Int32Array(Math.ceil(pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const first = pixels[from] ?? 0;
    const second = pixels[from + 1] ?? 0;
    const third = pixels[from + 2] ?? 0;
    const fourth = pixels[from + 3] ?? 0;
    packed[to] = (first & 0xff_ff_ff) | (second << 24);
    packed[to + 1] = ((second >>> 8) & 0xff_ff) | (third << 16);
    packed[to + 2] = ((third >>> 16) & 0xff) | (fourth << 8);
  }
  return new Uint8Array(packed.buffer, 0, pixels.length * 3);
};

/** @returns the option `background`, white by default; blended onto white if the target has no alpha */
export const paperOf = (background: string = WHITE, alpha: boolean): Paper => {
  const hex = background.slice(1);
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const [red = 255, green = 255, blue = 255, opacity = 255] = Buffer.from(long.padEnd(8, "f"), "hex");
  if (alpha || opacity === 255) {
    return [red, green, blue, opacity];
  }
  const mixed = (channel: number): number => Math.round((channel * opacity + 255 * (255 - opacity)) / 255);
  return [mixed(red), mixed(green), mixed(blue), 255];
};

/** Longer side of the picture that shows whether a page is blank; lines of any width leave a trace in it. */
const SMALL_SIDE = 256;

/** @returns whether nothing is visible on a page */
export const isBlank = (page: PdfPage): boolean => small(page).data.every((value) => value === 255);

/** Smallest value of a light pixel, and their share of a page that looks like paper: photos are darker. */
const LIGHT_MIN = 150;
const PAPER_SHARE = 0.6;

/** @returns whether a page is mostly light, as a page of text is */
export const isMostlyPaper = (page: PdfPage): boolean => {
  const { data } = small(page);
  return data.reduce((count, value) => count + (value >= LIGHT_MIN ? 1 : 0), 0) >= PAPER_SHARE * data.length;
};

const small = (page: PdfPage): Bitmap => {
  const scale = SMALL_SIDE / Math.max(page.width, page.height);
  const [width = 1, height = 1] = [page.width, page.height].map((side) => Math.max(1, Math.round(side * scale)));
  return renderPage(page, { width, height, paper: [255, 255, 255, 255] });
};
