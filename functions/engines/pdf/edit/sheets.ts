import { PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import type { Options } from "../../../domain/conversions/options.ts";
import { appendContent, operands } from "./content.ts";
import { frameOf } from "./frame.ts";
import { type Stamp, stampOf } from "./stamp.ts";

/** Columns and rows of a sheet in portrait orientation. Two and six pages need a sheet that is turned. */
const GRIDS = {
  2: { columns: 2, rows: 1, turned: true },
  4: { columns: 2, rows: 2, turned: false },
  6: { columns: 3, rows: 2, turned: true },
  9: { columns: 3, rows: 3, turned: false },
} as const;

/** Space around each page, as a share of its cell. */
const GAP_SHARE = 0.02;

type Count = NonNullable<Options["pages_per_sheet"]>;

/** @returns a document of sheets of the size of the first page, each with several pages in reading order */
export const sheetsOf = async (source: PDFDocument, count: Count): Promise<PDFDocument> => {
  const target = await PDFDocument.create({ updateMetadata: false });
  const [first] = source.getPages();
  const { columns, rows, turned } = GRIDS[count];
  const frame = first === undefined ? { width: 1, height: 1 } : frameOf(first);
  const isWide = frame.width > frame.height;
  const size: [number, number] = turned ? [frame.height, frame.width] : [frame.width, frame.height];
  // A landscape page is turned to the other orientation as well, with rows and columns exchanged.
  const [across, down] = turned && isWide ? [rows, columns] : [columns, rows];
  let sheet: PDFPage | undefined;
  for (const [index, page] of source.getPages().entries()) {
    const cell = index % count;
    sheet = cell === 0 || sheet === undefined ? target.addPage(size) : sheet;
    const [width, height] = [size[0] / across, size[1] / down];
    const [left, bottom] = [(cell % across) * width, size[1] - (Math.floor(cell / across) + 1) * height];
    drawIn(sheet, await stampOf(target, page), { left, bottom, width, height });
  }
  return target;
};

interface Cell {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

const drawIn = (sheet: PDFPage, stamp: Stamp, { left, bottom, width, height }: Cell): void => {
  const scale = (1 - 2 * GAP_SHARE) * Math.min(width / stamp.width, height / stamp.height);
  const [x, y] = [left + (width - stamp.width * scale) / 2, bottom + (height - stamp.height * scale) / 2];
  const name = PDFName.of(`AnyformPage${stamp.ref.objectNumber}`);
  sheet.node.setXObject(name, stamp.ref);
  appendContent(sheet, `q ${operands([scale, 0, 0, scale, x, y])} cm ${name} Do Q\n`);
};
