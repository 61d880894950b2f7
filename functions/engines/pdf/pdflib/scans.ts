import type { PDFDocument, PDFPage } from "@cantoo/pdf-lib";
import { PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";
import sharp from "sharp";
import { SCAN_DPI } from "../../../domain/conversions/by-engine/pdf/tesseract.ts";
import { OCR_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { withPictureReader } from "../ocr/ocr.ts";
import { readStraightened } from "../ocr/straightened.ts";
import type { Matrix } from "../pdfium/page/objects.ts";
import { POINTS_PER_INCH } from "./place.ts";
import { textLayer } from "./text-layer.ts";

export interface Reading {
  readonly dpi?: number | undefined;
  /** Values of the option `ocr_language`. @default English */
  readonly languages?: string | undefined;
  readonly progress: (share: number) => void;
}

/**
 * Recognizes the text of pages that have no text, and adds it as an invisible layer. The visible content does not
 * change.
 *
 * @param bytes the saved document
 * @throws JobError `source_corrupt`, `too_many_pages`
 */
export const readScans = async (document: PDFDocument, bytes: Uint8Array, reading: Reading): Promise<void> => {
  const library = await loadPdfium();
  const drawn = await library.loadDocument(bytes).catch((cause) => {
    // Rethrow WebAssembly traps: the process is then replaced.
    throw isTrap(cause) ? cause : new JobError("source_corrupt", "The PDF could not be rendered.", { cause });
  });
  try {
    const scans = [...drawn.pages()].filter((page) => page.getText().trim() === "");
    const layer = await textLayer(document);
    await withPictureReader(async (reader) => {
      for (const [index, scan] of scans.entries()) {
        const { picture, dpi } = await drawScan(scan, reading.dpi ?? SCAN_DPI);
        const read = await readStraightened(reader, picture, dpi);
        const page = document.getPage(scan.number);
        const { width, height } = picture;
        layer.write(page, read, { matrix: matrixOf(page, { width, height }), width, height });
        reading.progress((index + 1) / scans.length);
      }
    }, reading.languages);
  } finally {
    drawn.destroy();
  }
};

const isTrap = (error: unknown): boolean => error instanceof Error && error.name === "RuntimeError";

let loading: Promise<PDFiumLibrary> | undefined;
const loadPdfium = (): Promise<PDFiumLibrary> => {
  loading ??= PDFiumLibrary.init();
  return loading;
};

const drawScan = async (page: PDFiumPage, dpiRequested: number) => {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const requested = dpiRequested / POINTS_PER_INCH;
  const scale = Math.min(requested, Math.sqrt(OCR_PIXELS_MAX / (originalWidth * originalHeight)));
  const { data, width, height } = await page.render({
    scale,
    colorSpace: "Gray",
    render: ({ data: gray, width: across, height: down }) =>
      sharp(gray, { raw: { width: across, height: down, channels: 1 } })
        .toColourspace("b-w")
        .raw()
        .toBuffer(),
  });
  return { picture: { data, width, height }, dpi: scale * POINTS_PER_INCH };
};

/** Maps pixels of the rendered page to the page itself, which may be rotated and cropped (ISO 32000-1, 7.7.3.3). */
const matrixOf = (page: PDFPage, drawn: { width: number; height: number }): Matrix => {
  const { x, y, width, height } = page.getCropBox();
  const turn = ((page.getRotation().angle % 360) + 360) % 360;
  const sideways = turn === 90 || turn === 270;
  const across = (sideways ? height : width) / drawn.width;
  const up = (sideways ? width : height) / drawn.height;
  const matrices: Readonly<Record<number, Matrix>> = {
    90: [0, across, -up, 0, x + width, y],
    180: [-across, 0, 0, -up, x + width, y + height],
    270: [0, -across, up, 0, x, y + height],
  };
  return matrices[turn] ?? [across, 0, 0, up, x, y];
};
