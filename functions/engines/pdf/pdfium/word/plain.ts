import type { Block, Figure, PageLayout, Paragraph, Table } from "../layout/model.ts";
import { bodyOf, flowOf } from "../write/flow.ts";
import { type Part, relate, targetOf } from "./blocks.ts";
import { inlinePicture } from "./drawings.ts";
import { twips, val, w } from "./elements.ts";
import { LEVELS_MAX, type Looks } from "./looks.ts";
import { listXml } from "./paragraphs.ts";
import { runsXml } from "./runs.ts";

/** Documents of the layout `text`: headings, paragraphs, lists and tables in Word's own styles, without the pages. */

const FAMILY = { family: "Calibri", serif: false, color: "000000", italic: false };
const SIZES = [20, 16, 14, 12, 11, 11, 11, 11, 11];

/** The styles of such a document. */
export const PLAIN_LOOKS: Looks = {
  body: { ...FAMILY, size: 11, bold: false },
  headings: new Map(SIZES.map((size, index) => [index + 1, { ...FAMILY, size, bold: true }])),
};

const MARGIN = 72;
const A4 = { width: 595.3, height: 841.9 };
const LETTER = { width: 612, height: 792 };

/** @returns the paper of the document: that of the source, if it is Letter */
const paperOf = (page: PageLayout | undefined) => {
  const sides = page === undefined ? [] : [page.width, page.height].toSorted((one, other) => one - other);
  return Math.abs((sides[0] ?? 0) - LETTER.width) < 8 && Math.abs((sides[1] ?? 0) - LETTER.height) < 8 ? LETTER : A4;
};

/** The body of such a document, page by page. */
export interface Plain {
  addPage(page: PageLayout): string;
  end(): string;
}

export const plainOf = (part: Part, pages: readonly PageLayout[]): Plain => {
  const paper = paperOf(pages[0]);
  const width = paper.width - 2 * MARGIN;
  const flow = flowOf(pages);
  part.notes.push(...flow.notes);
  const blocks = new Map(flow.pages.map((page) => [page.page.number, bodyOf(page)]));
  return {
    addPage: (page) => {
      const own = blocks.get(page.number) ?? [];
      const turned = page.turned.map(({ runs }) => textXml(part, runs));
      return [...own.map((block) => blockXml(part, block, width)), ...turned].join("");
    },
    end: () => {
      const margins = { top: 1_440, right: 1_440, bottom: 1_440, left: 1_440, header: 720, footer: 720, gutter: 0 };
      const size = w("pgSz", { w: twips(paper.width), h: twips(paper.height) });
      return w("sectPr", {}, size, w("pgMar", margins), w("cols", { space: 720 }));
    },
  };
};

const textXml = (part: Part, runs: Paragraph["runs"]): string =>
  w("p", {}, runsXml(runs, targetOf(part, { heading: undefined, rtl: false })));

const blockXml = (part: Part, block: Block, width: number): string => {
  if (block.kind === "paragraph") {
    return paragraphXml(part, block);
  }
  return block.kind === "table" ? tableXml(part, block, width) : figureXml(part, block, width);
};

const paragraphXml = (part: Part, { runs, heading, list, rtl }: Paragraph): string => {
  const style = heading === undefined ? "" : val("pStyle", `Heading${Math.min(heading, LEVELS_MAX)}`);
  const item = list === undefined ? "" : listXml(part.word.numbering.refer(list));
  const properties = w("pPr", {}, style, item, rtl ? "<w:bidi/>" : "").replace("<w:pPr/>", "");
  const written = heading === undefined ? runs : runs.map((run) => ({ ...run, bold: true, italic: false }));
  return w("p", {}, properties, runsXml(written, targetOf(part, { heading, rtl })));
};

const figureXml = ({ word, ...part }: Part, figure: Figure, width: number): string => {
  const target = word.pictures.get(figure);
  const [across, down] = [figure.right - figure.left, figure.bottom - figure.top];
  const scale = Math.min(1, width / across);
  const drawn = { id: word.nextId(), width: across * scale, height: down * scale, alt: figure.text };
  return target === undefined
    ? ""
    : w("p", {}, inlinePicture({ ...drawn, relation: relate({ word, ...part }, "image", target) }));
};

const COLUMNS_MAX = 63;

const tableXml = (part: Part, { xs, ys, cells, headerRows, rtl }: Table, width: number): string => {
  const columns = Math.min(COLUMNS_MAX, xs.length - 1);
  const each = twips(width / columns);
  const rows = Array.from({ length: ys.length - 1 }, (_, row) => {
    const own = cells.filter((cell) => cell.row <= row && row < cell.row + cell.rows && cell.column < columns);
    const ordered = own.toSorted((one, other) => (rtl ? other.column - one.column : one.column - other.column));
    const written = ordered.map(({ blocks, column, ...cell }) => {
      const span = Math.min(cell.columns, columns - column);
      const properties = [
        w("tcW", { w: each * span, type: "dxa" }),
        span > 1 ? val("gridSpan", span) : "",
        cell.rows > 1 ? w("vMerge", row === cell.row ? { val: "restart" } : {}) : "",
      ];
      const inner = row === cell.row ? blocks.map((block) => blockXml(part, block, width / columns)).join("") : "";
      return w(
        "tc",
        {},
        w("tcPr", {}, ...properties),
        inner,
        blocks.at(-1)?.kind === "paragraph" && inner !== "" ? "" : "<w:p/>",
      );
    });
    return w("tr", {}, row < headerRows ? "<w:trPr><w:tblHeader/></w:trPr>" : "", ...written);
  });
  const properties = [
    val("tblStyle", "TableGrid"),
    rtl ? "<w:bidiVisual/>" : "",
    w("tblW", { w: 0, type: "auto" }),
    val("tblLook", "04A0"),
  ];
  const grid = Array.from({ length: columns }, () => w("gridCol", { w: each }));
  // Word joins tables without a paragraph between them.
  return `${w("tbl", {}, w("tblPr", {}, ...properties), w("tblGrid", {}, ...grid), ...rows)}<w:p/>`;
};
