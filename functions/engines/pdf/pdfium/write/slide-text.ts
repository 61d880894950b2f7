import type { Paragraph, Run } from "../layout/model.ts";
import { familyOf } from "../word/fonts.ts";
import type { Canvas } from "./slide-shapes.ts";
import { escapeXml } from "./xml.ts";

export const EMU_PER_POINT = 12_700;

export const emu = (points: number): number => Math.round(points * EMU_PER_POINT);

/** @returns a paragraph of a text box or a cell */
export const paragraphXml = (canvas: Canvas, paragraph: Paragraph, spaceBefore = 0): string => {
  const { lineHeight, lines, runs } = paragraph;
  const spacing = [
    ...(lineHeight > 0 && lines.length > 1 ? [spacingXml("lnSpc", lineHeight * canvas.scale)] : []),
    ...(spaceBefore > 0 ? [spacingXml("spcBef", spaceBefore * canvas.scale)] : []),
  ].join("");
  const properties = `<a:pPr${attributesOf(canvas, paragraph)}>${spacing}${markXml(paragraph)}</a:pPr>`;
  return `<a:p>${properties}${runs.map((run) => runXml(canvas, run)).join("")}</a:p>`;
};

/** Line spacing in hundredths of a point (ECMA-376, ST_TextSpacingPoint). */
const SPACING_MAX = 158_400;

const spacingXml = (name: string, points: number): string =>
  `<a:${name}><a:spcPts val="${Math.min(SPACING_MAX, Math.round(points * 100))}"/></a:${name}>`;

const ALIGNMENTS = { start: "l", center: "ctr", end: "r", justify: "just" } as const;
const OPPOSITE: Readonly<Record<string, string>> = { l: "r", r: "l" };
/** Distance of the text of a list's item from its mark, in points, if the layout has none. */
const HANGING = 18;

const attributesOf = ({ scale }: Canvas, { align, rtl, list, firstLine }: Paragraph): string => {
  const side = ALIGNMENTS[align];
  const hanging = list === undefined ? 0 : Math.max(firstLine < 0 ? -firstLine : HANGING, 4);
  const indent = list === undefined ? Math.max(0, firstLine) : -hanging;
  return [
    ...(hanging > 0 ? [` marL="${emu(hanging * scale)}"`] : []),
    ...(indent === 0 ? [] : [` indent="${emu(indent * scale)}"`]),
    ` algn="${rtl ? (OPPOSITE[side] ?? side) : side}"`,
    ...(rtl ? [' rtl="1"'] : []),
  ].join("");
};

/** Numberings of a presentation, by the mark of number 1 and by the mark's brackets. */
const NUMBERINGS: readonly (readonly [RegExp, string])[] = [
  [/^\d+\.$/, "arabicPeriod"],
  [/^\d+\)$/, "arabicParenR"],
  [/^\(\d+\)$/, "arabicParenBoth"],
];

const markXml = ({ list }: Paragraph): string => {
  if (list === undefined) {
    return "";
  }
  const numbering = NUMBERINGS.find(([shape]) => shape.test(list.mark))?.[1];
  if (list.ordered && numbering !== undefined) {
    const { number = 1 } = list;
    const start = number > 1 ? ` startAt="${Math.min(number, 32_767)}"` : "";
    return `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="${numbering}"${start}/>`;
  }
  const mark = /^[\p{L}\p{N}\p{P}\p{S}]{1,8}$/u.test(list.mark) ? list.mark : "•";
  return `<a:buFont typeface="Arial"/><a:buChar char="${escapeXml(mark)}"/>`;
};

/** Font sizes in hundredths of a point (ECMA-376, ST_TextFontSize). */
const SIZE_MIN = 100;
const SIZE_MAX = 400_000;

const runXml = (canvas: Canvas, run: Run): string => {
  const { text, bold, italic, underline, strike, highlight, color, link, shift } = run;
  const size = Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.round(run.size * canvas.scale * 100)));
  const face = escapeXml(familyOf(run));
  const attributes = [
    ` sz="${size}"`,
    ...(bold ? [' b="1"'] : []),
    ...(italic ? [' i="1"'] : []),
    ...(underline ? [' u="sng"'] : []),
    ...(strike ? [' strike="sngStrike"'] : []),
    // Presentation programs shrink superscript letters themselves.
    ...(shift === undefined ? [] : [` baseline="${shift === "above" ? 30_000 : -25_000}"`]),
  ].join("");
  const click =
    link === undefined
      ? ""
      : `<a:hlinkClick r:id="${canvas.relate("hyperlink", escapeXml(encodeURI(decoded(link))))}"/>`;
  return (
    `<a:r><a:rPr${attributes} dirty="0">${fillXml(color)}${highlight === undefined ? "" : `<a:highlight>${colorXml(highlight)}</a:highlight>`}` +
    `<a:latin typeface="${face}"/><a:ea typeface="${face}"/><a:cs typeface="${face}"/>${click}</a:rPr><a:t>${escapeXml(text)}</a:t></a:r>`
  );
};

const colorXml = (color: string): string => `<a:srgbClr val="${color.toUpperCase()}"/>`;

export const fillXml = (color: string): string => `<a:solidFill>${colorXml(color)}</a:solidFill>`;

/** @returns the decoded URL, so that it is not encoded twice */
const decoded = (address: string): string => {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
};
