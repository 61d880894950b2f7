import type { Block, ListItem, PlacedBlock, Table } from "../layout/blocks.ts";
import type { Line } from "../layout/lines.ts";
import { type Run, readsFromRight, textOf } from "../layout/pieces.ts";
import { around, type Box } from "../page/geometry.ts";
import type { Relation } from "./slide-package.ts";
import { escapeXml } from "./xml.ts";

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

const EMU_PER_POINT = 12_700;

const emu = (points: number): number => Math.round(points * EMU_PER_POINT);

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

/** @returns the shape of a block with text; an empty string for a picture */
export const blockShape = (canvas: Canvas, { block, lines }: PlacedBlock): string => {
  if (block.kind === "picture") {
    return "";
  }
  return block.kind === "table" ? tableShape(canvas, block, lines) : textShape(canvas, block, lines);
};

/** Share by which a box is wider than its text: another font may need more space. */
const SLACK = 0.04;

const textShape = (
  canvas: Canvas,
  block: Exclude<Block, { kind: "table" | "picture" }>,
  lines: readonly Line[],
): string => {
  const box = around(lines);
  const slack = (box.right - box.left) * SLACK + 2;
  const rtl = lines[0]?.rtl === true;
  const wide = rtl ? { ...box, left: box.left - slack } : { ...box, right: box.right + slack };
  const paragraphs =
    block.kind === "list"
      ? block.items.map((item) => itemXml(canvas, item, lines))
      : [paragraphXml(canvas, block.runs, lines, "")];
  const id = canvas.next();
  // A single line must not wrap, even if the font is wider.
  const wrap = lines.length === 1 ? "none" : "square";
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>` +
    `${place(canvas, wide)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>` +
    `<a:bodyPr wrap="${wrap}" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="${rtl ? 1 : 0}"><a:noAutofit/></a:bodyPr>` +
    `<a:lstStyle/>${paragraphs.join("")}</p:txBody></p:sp>`
  );
};

const INDENT_POINTS = 18;

const itemXml = (canvas: Canvas, { depth, ordered, number, runs }: ListItem, lines: readonly Line[]): string => {
  const margin = emu(INDENT_POINTS * (depth + 1) * canvas.scale);
  const mark = ordered
    ? `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="arabicPeriod"${number !== undefined && number > 1 ? ` startAt="${Math.min(number, 32_767)}"` : ""}/>`
    : '<a:buFont typeface="Arial"/><a:buChar char="•"/>';
  const place = ` marL="${margin}" indent="${-emu(INDENT_POINTS * canvas.scale)}"${depth > 0 ? ` lvl="${Math.min(depth, 8)}"` : ""}`;
  return paragraphXml(canvas, runs, lines, place, mark);
};

const paragraphXml = (
  canvas: Canvas,
  runs: readonly Run[],
  lines: readonly Line[],
  place: string,
  mark = "",
): string => {
  const leading = leadingOf(lines);
  const spacing =
    leading === undefined
      ? ""
      : `<a:lnSpc><a:spcPts val="${Math.min(SPACING_MAX, Math.round(leading * canvas.scale * 100))}"/></a:lnSpc>`;
  const direction = readsFromRight(textOf(runs)) ? ' algn="r" rtl="1"' : isCentered(lines) ? ' algn="ctr"' : "";
  return `<a:p><a:pPr${place}${direction}>${spacing}${mark}</a:pPr>${runs.map((run) => runXml(canvas, run)).join("")}</a:p>`;
};

/** Line spacing in hundredths of a point (ECMA-376, ST_TextSpacingPoint). */
const SPACING_MAX = 158_400;

/** @returns the line spacing in points; undefined for a single line */
const leadingOf = (lines: readonly Line[]): number | undefined => {
  const [first, last] = [lines[0], lines.at(-1)];
  return first === undefined || last === undefined || lines.length < 2
    ? undefined
    : Math.max(1, (last.baseline - first.baseline) / (lines.length - 1));
};

const isCentered = (lines: readonly Line[]): boolean => {
  const [first] = lines;
  const middles = lines.map(({ left, right }) => (left + right) / 2);
  const even = middles.every((middle) => Math.abs(middle - (middles[0] ?? 0)) < 2);
  return lines.length > 1 && even && lines.some(({ left }) => Math.abs(left - (first?.left ?? 0)) > 4);
};

const SERIF = /times|serif(?!.*sans)|roman|georgia|garamond|book|palatino|minion|^cm[rbt]/i;

const runXml = (canvas: Canvas, { text, bold, italic, mono, size, font, color, link, shift }: Run): string => {
  const points = Math.min(400_000, Math.max(100, Math.round(size * canvas.scale * (shift === undefined ? 100 : 150))));
  const face = mono ? "Courier New" : SERIF.test(font) && !/sans/i.test(font) ? "Times New Roman" : "Arial";
  // Presentation programs shrink superscript letters themselves.
  const raised = shift === undefined ? "" : ` baseline="${shift === "above" ? 30_000 : -25_000}"`;
  const click =
    link === undefined
      ? ""
      : `<a:hlinkClick r:id="${canvas.relate("hyperlink", escapeXml(encodeURI(decoded(link))))}"/>`;
  return (
    `<a:r><a:rPr sz="${points}"${bold ? ' b="1"' : ""}${italic ? ' i="1"' : ""}${raised} dirty="0"><a:solidFill><a:srgbClr val="${color.toUpperCase()}"/>` +
    `</a:solidFill><a:latin typeface="${face}"/><a:cs typeface="${face}"/>${click}</a:rPr><a:t>${escapeXml(text)}</a:t></a:r>`
  );
};

/** @returns the decoded URL, so that it is not encoded twice */
const decoded = (address: string): string => {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
};

const tableShape = (canvas: Canvas, { rows, header, starts }: Table, lines: readonly Line[]): string => {
  const box = around(lines);
  const rtl = lines[0]?.rtl === true;
  const widths = columnWidths(starts, box);
  const height = emu(((box.bottom - box.top) / rows.length) * canvas.scale);
  const cell = (runs: readonly Run[]) =>
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>${paragraphXml(canvas, runs, [], "")}</a:txBody><a:tcPr marL="0" marR="0" marT="0" marB="0"/></a:tc>`;
  const id = canvas.next();
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/>` +
    `</p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${place(canvas, box)}</p:xfrm><a:graphic>` +
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>' +
    `<a:tblPr${rtl ? ' rtl="1"' : ""}${header ? ' firstRow="1"' : ""}/>` +
    `<a:tblGrid>${widths.map((width) => `<a:gridCol w="${emu(width * canvas.scale)}"/>`).join("")}</a:tblGrid>` +
    `${rows.map((row) => `<a:tr h="${height}">${row.map(cell).join("")}</a:tr>`).join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  );
};

/** A column extends to the start of the next one; right-to-left tables list columns in that order. */
const columnWidths = (starts: readonly number[], { left, right }: Box): number[] => {
  const sorted = starts.toSorted((one, other) => one - other);
  const widths = sorted.map((start, index) => (sorted[index + 1] ?? right) - (index === 0 ? left : start));
  return (starts[0] ?? 0) > (starts.at(-1) ?? 0) ? widths.toReversed() : widths;
};
