import type { PdfPage } from "../page/document.ts";
import { type Box, floats, type Placing } from "../page/geometry.ts";
import { withMemory } from "../page/module.ts";
import { boxOfRule, contains } from "./boxes.ts";
import type { Word } from "./content.ts";
import type { Shapes } from "./shapes.ts";

/** A check box or radio button of a form. */
export interface Check extends Box {
  /** `☐`, `☒`, `○` or `◉`. */
  readonly text: string;
}

const WIDGET = 20;
const CHECK_BOX = 2;
const RADIO_BUTTON = 3;
const ANNOTATIONS_MAX = 10_000;
const CHECKS_MAX = 1_000;

/** @returns the check boxes and radio buttons of a page; read them before annotations are flattened */
export const checksOf = ({ document, handle }: PdfPage, placing: Placing): Check[] => {
  const { call, view } = document.pdfium;
  const checks: Check[] = [];
  withMemory(document.pdfium, 16, (scratch) => {
    const count = Math.min(call.FPDFPage_GetAnnotCount(handle), ANNOTATIONS_MAX);
    for (let index = 0; index < count && checks.length < CHECKS_MAX; index += 1) {
      const annotation = call.FPDFPage_GetAnnot(handle, index);
      const type =
        call.FPDFAnnot_GetSubtype(annotation) === WIDGET
          ? call.FPDFAnnot_GetFormFieldType(document.form, annotation)
          : 0;
      if ((type === CHECK_BOX || type === RADIO_BUTTON) && call.FPDFAnnot_GetRect(annotation, scratch) === 1) {
        const [left, top, right, bottom] = floats(view(), scratch);
        const checked = call.FPDFAnnot_IsChecked(document.form, annotation) === 1;
        const text = type === CHECK_BOX ? (checked ? "☒" : "☐") : checked ? "◉" : "○";
        checks.push({ text, ...placing.box(left, top, right, bottom) });
      }
      call.FPDFPage_CloseAnnot(annotation);
    }
  });
  return checks;
};

/** @returns a word for a check box, as high as the text next to it usually is */
export const wordFromCheck = ({ text, left, top, right, bottom }: Check): Word => {
  const size = Math.min(SIZE_MAX, bottom - top);
  const style = { bold: false, italic: false, mono: false, serif: false, font: "", color: "000000" };
  const baseline = (top + bottom) / 2 + 0.35 * size;
  return { text, runs: [{ ...style, text, size }], size, baseline, left, top, right, bottom, rtl: false, spaced: true };
};

const SIZE_MAX = 12;

/** @returns whether the middle of a box is within one of the checks */
export const isInCheck = (checks: readonly Check[], { left, top, right, bottom }: Box): boolean => {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return checks.some((check) => x > check.left && x < check.right && y > check.top && y < check.bottom);
};

/** @returns the shapes without those that draw the checks */
export const withoutChecks = (shapes: Shapes, checks: readonly Check[]): Shapes => {
  const outside = (box: Box): boolean => !checks.some((check) => contains(check, box));
  return checks.length === 0
    ? shapes
    : {
        rules: shapes.rules.filter((rule) => outside(boxOfRule(rule))),
        fills: shapes.fills.filter(outside),
        pieces: shapes.pieces.filter(outside),
        shadings: shapes.shadings,
        frames: shapes.frames.filter(outside),
        dots: shapes.dots.filter(outside),
      };
};
