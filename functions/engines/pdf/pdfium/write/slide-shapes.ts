import type { Block, Borders, Cell, Paragraph, Stroke, Table, TurnedText } from "../layout/model.ts";
import { around, type Box } from "../page/geometry.ts";
import { gridOf, type Place, paragraphsIn } from "./flow.ts";
import { leadOf } from "./html-style.ts";
import type { Relation } from "./slide-package.ts";
import { emu, fillXml, paragraphXml } from "./slide-text.ts";

/** Context for writing the shapes of a slide. */
export interface Canvas {
  /** Slide points per page point; 1 unless pages differ in size. */
  readonly scale: number;
  /** Offset of the page on the slide, in slide points. */
  readonly left: number;
  readonly top: number;
  /** Adds a relationship to the slide. @returns its id */
  relate(type: Relation["type"], target: string): string;
  /** @returns a number that no other shape on the slide has */
  next(): number;
}

const place = ({ scale, left, top }: Canvas, box: Box): string =>
  `<a:off x="${emu(box.left * scale + left)}" y="${emu(box.top * scale + top)}"/>` +
  `<a:ext cx="${emu(Math.max(1, (box.right - box.left) * scale))}" cy="${emu(Math.max(1, (box.bottom - box.top) * scale))}"/>`;

/** @returns a picture at its position; the relationship points to its file */
export const pictureShape = (canvas: Canvas, box: Box, relation: string): string => {
  const id = canvas.next();
  return (
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Picture ${id}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/>` +
    `</p:nvPicPr><p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>` +
    `${place(canvas, box)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
  );
};

/** @returns the shapes of the blocks of a column, without its pictures */
export const blockShapes = (canvas: Canvas, blocks: readonly Block[]): string =>
  boxesOf(blocks)
    .map((block) => (Array.isArray(block) ? textShape(canvas, block) : tableShape(canvas, block)))
    .join("");

/** The items of a list share a text box. */
const boxesOf = (blocks: readonly Block[]): (Paragraph[] | Table)[] => {
  const boxes: (Paragraph[] | Table)[] = [];
  for (const [index, block] of blocks.entries()) {
    const last = boxes.at(-1);
    if (block.kind === "paragraph" && block.list !== undefined && Array.isArray(last) && isItem(blocks[index - 1])) {
      last.push(block);
    } else if (block.kind !== "figure") {
      boxes.push(block.kind === "table" ? block : [block]);
    }
  }
  return boxes;
};

const isItem = (block: Block | undefined): boolean => block?.kind === "paragraph" && block.list !== undefined;

/** Share by which a box is wider than its text: another font may need more space. */
const SLACK = 0.04;

const textShape = (canvas: Canvas, paragraphs: readonly Paragraph[]): string => {
  const [first] = paragraphs;
  const box = { ...around(paragraphs), top: first === undefined ? 0 : topOf(first) };
  const rtl = first?.rtl === true;
  const slack = (box.right - box.left) * SLACK + 2;
  const centered = first?.align === "center";
  const atRight = first?.align === "end" ? !rtl : rtl && !centered;
  const wide = {
    ...box,
    left: box.left - (centered ? slack / 2 : atRight ? slack : 0),
    right: box.right + (centered ? slack / 2 : atRight ? 0 : slack),
  };
  // A single line must not wrap, even if the font is wider.
  const wrap = paragraphs.length === 1 && (first?.lines.length ?? 0) < 2 ? "none" : "square";
  const text = paragraphs.map((paragraph, index) => {
    const before = paragraphs[index - 1];
    return paragraphXml(canvas, paragraph, before === undefined ? 0 : paragraph.top - before.bottom);
  });
  return boxShape(
    canvas,
    { box: wide, wrap, rtl, fill: paragraphs.length === 1 ? first?.fill : undefined },
    text.join(""),
  );
};

/** Share of the size from the top of a text box to the first baseline, in the fonts that slides use most. */
const ASCENT = 0.9;

/** @returns the top of a box for the paragraph. Its own includes the space above a line of exact height. */
const topOf = ({ lines: [line, ...others], runs, top }: Paragraph): number =>
  line === undefined || others.length > 0 ? top : line.baseline - ASCENT * (leadOf(runs)?.size ?? 0);

interface TextBox {
  readonly box: Box;
  readonly wrap: "none" | "square";
  readonly rtl: boolean;
  readonly fill?: string | undefined;
  /** Clockwise quarter turns. */
  readonly quarters?: number;
}

const boxShape = (canvas: Canvas, { box, wrap, rtl, quarters = 0 }: TextBox, paragraphs: string): string => {
  const id = canvas.next();
  const rotation = quarters === 0 ? "" : ` rot="${quarters * 5_400_000}"`;
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm${rotation}>` +
    `${place(canvas, box)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>` +
    `<a:bodyPr wrap="${wrap}" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="${rtl ? 1 : 0}"><a:noAutofit/></a:bodyPr>` +
    `<a:lstStyle/>${paragraphs}</p:txBody></p:sp>`
  );
};

/** @returns a text box that is turned about its center */
export const turnedShape = (canvas: Canvas, { runs, quarters, ...area }: TurnedText): string => {
  const [across, down] = [area.right - area.left, area.bottom - area.top];
  const [x, y] = [(area.left + area.right) / 2, (area.top + area.bottom) / 2];
  const [width, height] = quarters === 2 ? [across, down] : [down, across];
  const box = { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
  const paragraph: Paragraph = {
    ...{ kind: "paragraph", runs, lines: [], align: "start", rtl: false, open: false, ...box },
    ...{ indentLeft: 0, indentRight: 0, firstLine: 0, spaceBefore: 0, lineHeight: 0 },
  };
  return boxShape(canvas, { box, wrap: "none", rtl: false, quarters }, paragraphXml(canvas, paragraph));
};

const tableShape = (canvas: Canvas, table: Table): string => {
  const { xs, ys, headerRows, rtl } = table;
  const steps = (edges: readonly number[]): number[] => edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
  const box = { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0 };
  const widths = rtl ? steps(xs).toReversed() : steps(xs);
  const heights = steps(ys);
  const rows = gridOf(table).map((row, index) => {
    const cells = row.map((cell) => cellXml(canvas, cell, table));
    return `<a:tr h="${emu((heights[index] ?? 0) * canvas.scale)}">${cells.join("")}</a:tr>`;
  });
  const id = canvas.next();
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/>` +
    `</p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${place(canvas, box)}</p:xfrm><a:graphic>` +
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>' +
    `<a:tblPr${rtl ? ' rtl="1"' : ""}${headerRows > 0 ? ' firstRow="1"' : ""}/>` +
    `<a:tblGrid>${widths.map((width) => `<a:gridCol w="${emu(width * canvas.scale)}"/>`).join("")}</a:tblGrid>` +
    `${rows.join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  );
};

/** Small, because a row is at least as high as the empty paragraphs in it. */
const EMPTY = '<a:p><a:endParaRPr sz="100"/></a:p>';
const NO_MARGINS = ' marL="0" marR="0" marT="0" marB="0"';

const cellXml = (canvas: Canvas, place: Place | undefined, table: Table): string => {
  if (place === undefined || place.across || place.down) {
    const merged = `${place?.across ? ' hMerge="1"' : ""}${place?.down ? ' vMerge="1"' : ""}`;
    return `<a:tc${merged}><a:txBody><a:bodyPr/><a:lstStyle/>${EMPTY}</a:txBody><a:tcPr${NO_MARGINS}/></a:tc>`;
  }
  const { cell } = place;
  const paragraphs = paragraphsIn(cell.blocks);
  const spans = `${cell.columns > 1 ? ` gridSpan="${cell.columns}"` : ""}${cell.rows > 1 ? ` rowSpan="${cell.rows}"` : ""}`;
  const text = paragraphs.map((paragraph) => paragraphXml(canvas, paragraph)).join("");
  return (
    `<a:tc${spans}><a:txBody><a:bodyPr/><a:lstStyle/>${text || EMPTY}</a:txBody>` +
    `<a:tcPr${marginsOf(canvas, cell, table)}>${bordersXml(cell.borders)}${cell.fill === undefined ? "<a:noFill/>" : fillXml(cell.fill)}</a:tcPr></a:tc>`
  );
};

/** @returns the distances of the text from the edges of its cell */
const marginsOf = ({ scale }: Canvas, { row, column, columns, blocks }: Cell, { xs, ys }: Table): string => {
  const lines = paragraphsIn(blocks).flatMap((paragraph) => paragraph.lines);
  if (lines.length === 0) {
    return NO_MARGINS;
  }
  const box = around(lines);
  const margin = (name: string, points: number, most: number): string =>
    ` ${name}="${emu(Math.max(0, Math.min(most, points)) * scale)}"`;
  const side = Math.min(box.left - (xs[column] ?? 0), (xs[column + columns] ?? 0) - box.right) - 1;
  return `${margin("marL", side, 8)}${margin("marR", side, 8)}${margin("marT", box.top - (ys[row] ?? 0), 100)} marB="0"`;
};

const bordersXml = ({ left, right, top, bottom }: Borders): string =>
  [lineXml("lnL", left), lineXml("lnR", right), lineXml("lnT", top), lineXml("lnB", bottom)].join("");

const lineXml = (name: string, stroke: Stroke | undefined): string =>
  stroke === undefined
    ? `<a:${name}><a:noFill/></a:${name}>`
    : `<a:${name} w="${emu(Math.min(40, Math.max(0.25, stroke.width)))}">${fillXml(stroke.color)}</a:${name}>`;
