import { type GridCell, type GridCells, type StyledWord, styledWords } from "../result.ts";
import {
  type Align,
  type Block,
  BODY_SIZE,
  type Grid,
  HEADING_SCALE,
  type Run,
  type Sample,
  TITLE_SCALE,
} from "../samples/sample.ts";
import type { Truth } from "../score.ts";

/** @returns what a sample contains: body text in reading order, then the footnotes, with their numbers */
export const truthOf = (sample: Sample): Truth => {
  const size = sample.font?.size ?? BODY_SIZE;
  const texts = sample.blocks.flatMap((block) => textsOf(block, size));
  const notes: string[] = [];
  const lines = texts.map(({ runs }) =>
    runs.map(({ text, note }) => (note === undefined ? text : `${text}${notes.push(note)}`)).join(""),
  );
  return {
    orders: [[[...lines, ...notes.map((note, index) => `${index + 1} ${note}`)]]],
    grids: sample.blocks.flatMap((block) => (block.kind === "grid" ? [cellsOf(block)] : [])),
    words: texts.flatMap(wordsOf),
  };
};

interface TextWithLook {
  readonly runs: readonly Run[];
  readonly align: Align;
  readonly size: number;
  readonly bold: boolean;
}

const textsOf = (block: Block, size: number): TextWithLook[] => {
  switch (block.kind) {
    case "text": {
      const scale = block.role === "title" ? TITLE_SCALE : block.role === "heading" ? HEADING_SCALE : 1;
      return [{ runs: block.runs, align: block.align ?? "start", size: size * scale, bold: scale > 1 }];
    }
    case "grid":
      return block.rows.flat().map(({ runs, align = "start" }) => ({ runs, align, size, bold: false }));
    case "columns":
    case "boxed":
      return block.blocks.flatMap((inner) => textsOf(inner, size));
    case "sideways":
      return [{ runs: [{ text: block.text }], align: "start", size, bold: false }];
    default:
      return [];
  }
};

const wordsOf = ({ runs, align, size, bold }: TextWithLook): StyledWord[] =>
  styledWords(
    runs.map((run) => ({
      text: run.text,
      look: {
        bold: bold || run.bold === true,
        italic: run.italic === true,
        color: run.color ?? "000000",
        size: run.size ?? size,
      },
    })),
    align,
  );

const cellsOf = ({ rows }: Grid): GridCells => {
  const cells: GridCell[] = [];
  const taken = new Set<string>();
  for (const [row, line] of rows.entries()) {
    let column = 0;
    for (const cell of line) {
      while (taken.has(`${row} ${column}`)) {
        column += 1;
      }
      const place = { row, column, rows: cell.rows ?? 1, columns: cell.columns ?? 1 };
      for (let at = 0; at < place.rows * place.columns; at += 1) {
        taken.add(`${row + Math.floor(at / place.columns)} ${column + (at % place.columns)}`);
      }
      cells.push({ ...place, text: cell.runs.map(({ text }) => text).join("") });
      column += place.columns;
    }
  }
  return cells;
};
