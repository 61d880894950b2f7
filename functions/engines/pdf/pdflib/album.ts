import { writeFile } from "node:fs/promises";
import { PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { DOCUMENT_PAGES_MAX, PDF_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { isOcrOn, withPictureReader } from "../ocr/ocr.ts";
import { ocrPicture } from "../ocr/picture.ts";
import { readStraightened } from "../ocr/straightened.ts";
import { storeImage } from "./image.ts";
import { readSheets, type Sheet } from "./pictures.ts";
import { type Placing, POINTS_PER_INCH, placePicture } from "./place.ts";
import { textLayer } from "./text-layer.ts";

/** Makes one PDF from one or more pictures, one page each. Encoded data is not encoded again. */
export const makeAlbum = async (task: EngineTask): Promise<EngineResult> => {
  if (!isOcrOn(task.options)) {
    return fillAlbum(task, async () => {});
  }
  return withPictureReader(
    (reader) =>
      fillAlbum(task, async (page, sheet, { x, y, width, height }) => {
        const picture = await ocrPicture(sheet.open());
        const read = await readStraightened(reader, picture, (POINTS_PER_INCH * picture.width) / width);
        const layer = await textLayer(page.doc);
        const matrix = [width / picture.width, 0, 0, height / picture.height, x, y] as const;
        layer.write(page, read, { matrix, width: picture.width, height: picture.height });
      }),
    task.options.ocr_language,
  );
};

/** Called for each page after its picture is drawn. */
type Finish = (page: PDFPage, sheet: Sheet, placing: Placing) => Promise<void>;

const fillAlbum = async (task: EngineTask, finish: Finish): Promise<EngineResult> => {
  const document = await PDFDocument.create({ updateMetadata: false });
  const warnings: Warning[] = [];
  const warn = (warning: Warning): void => void warnings.push(warning);
  const files = [{ path: task.input, from: task.from }, ...task.further];
  let bytes = 0;
  for (const [index, { path, from }] of files.entries()) {
    for await (const sheet of readSheets(path, from, { options: task.options, warn })) {
      bytes += sheet.image.bytes.length;
      checkAlbum(document.getPageCount() + 1, bytes);
      const [page, placing] = addSheet(document, sheet, task);
      await finish(page, sheet, placing);
    }
    task.progress((index + 1) / files.length);
  }
  await writeFile(task.output, await savePdf(document), { flag: "wx" });
  return { warnings };
};

/** @returns the bytes of the document */
export const savePdf = (document: PDFDocument): Promise<Uint8Array> =>
  document.save({ addDefaultPage: false, updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY });

const checkAlbum = (pages: number, bytes: number): void => {
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError(
      "too_many_pages",
      `The PDF would have more than ${DOCUMENT_PAGES_MAX} pages, which is the maximum.`,
    );
  }
  if (bytes > PDF_BYTES_MAX) {
    throw new JobError("output_too_large", `The PDF would exceed the maximum size of ${PDF_BYTES_MAX} bytes.`);
  }
};

const addSheet = (
  document: PDFDocument,
  { image, orientation, density }: Sheet,
  { options }: EngineTask,
): readonly [PDFPage, Placing] => {
  const turned = orientation >= TURNED;
  const [width, height] = turned ? [image.height, image.width] : [image.width, image.height];
  const placing = placePicture({ width, height, density }, options);
  const page = document.addPage([...placing.page]);
  drawImage(page, placing, { name: page.node.newXObject("Picture", storeImage(document, image)), orientation });
  return [page, placing];
};

/** EXIF orientations from this value on swap width and height. */
const TURNED = 5;

/** Maps the unit square of the stored picture to itself, by EXIF orientation (Exif 2.32, 4.6.4). */
const MATRICES: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};
const UPRIGHT = [1, 0, 0, 1, 0, 0] as const;

const drawImage = (
  page: PDFPage,
  { x, y, width, height }: Placing,
  { name, orientation }: { name: PDFName; orientation: number },
): void => {
  const [a, b, c, d, e, f] = MATRICES[orientation] ?? UPRIGHT;
  const matrix = [a * width, b * height, c * width, d * height, e * width + x, f * height + y];
  const { context } = page.doc;
  const drawing = context.register(context.stream(`q ${matrix.join(" ")} cm ${name} Do Q`));
  page.node.set(PDFName.of("Contents"), context.obj([drawing]));
};
