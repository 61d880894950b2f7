import type { PdfPage } from "../page/document.ts";
import { type Box, floats, type Placing } from "../page/geometry.ts";
import { withMemory } from "../page/module.ts";
import { boxOfRule, common, contains, isEmpty, larger, sizeOf } from "./boxes.ts";
import type { FieldBox, Fill, Rule, Word } from "./content.ts";

/** A check box or radio button of a form. */
export interface Check extends Box {
  /** `☐`, `☒`, `○` or `◉`. */
  readonly text: string;
}

/** The form fields of a page. */
export interface Fields {
  readonly checks: readonly Check[];
  /** Areas of fields for text, and of lists to choose from. */
  readonly texts: readonly Box[];
}

const WIDGET = 20;
/** Kinds of form fields (fpdf_formfill.h). */
const CHECK_BOX = 2;
const RADIO_BUTTON = 3;
const COMBO_BOX = 4;
const TEXT_FIELD = 6;
const ANNOTATIONS_MAX = 10_000;
const FIELDS_MAX = 1_000;

/** @returns the form fields of a page; read them before annotations are flattened */
export const fieldsOf = ({ document, handle }: PdfPage, placing: Placing): Fields => {
  const { call, view } = document.pdfium;
  const checks: Check[] = [];
  const texts: Box[] = [];
  withMemory(document.pdfium, 16, (scratch) => {
    const count = Math.min(call.FPDFPage_GetAnnotCount(handle), ANNOTATIONS_MAX);
    for (let index = 0; index < count && checks.length + texts.length < FIELDS_MAX; index += 1) {
      const annotation = call.FPDFPage_GetAnnot(handle, index);
      const type =
        call.FPDFAnnot_GetSubtype(annotation) === WIDGET
          ? call.FPDFAnnot_GetFormFieldType(document.open.form, annotation)
          : 0;
      if (type >= CHECK_BOX && type <= TEXT_FIELD && call.FPDFAnnot_GetRect(annotation, scratch) === 1) {
        const [left, top, right, bottom] = floats(view(), scratch);
        const box = placing.box(left, top, right, bottom);
        const checked = call.FPDFAnnot_IsChecked(document.open.form, annotation) === 1;
        if (type >= COMBO_BOX) {
          texts.push(box);
        } else if (type === RADIO_BUTTON) {
          checks.push({ text: checked ? "◉" : "○", ...box });
        } else {
          checks.push({ text: checked ? "☒" : "☐", ...box });
        }
      }
      call.FPDFPage_CloseAnnot(annotation);
    }
  });
  return { checks, texts };
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

/** Points between the area of a field for text and the box that the page draws around it. */
const FRAME_MAX = 4;
/** Shares of a side of a field, and of its area, that its border and background cover. */
const DRAWN = 0.8;

/** @returns the boxes of fields for text that are not in a row of fields, by area */
export const boxesOfFields = (
  { texts }: Fields,
  { rules, fills }: { readonly rules: readonly Rule[]; readonly fills: readonly Fill[] },
): Map<Box, FieldBox> => {
  const enlarged = texts.map((field) => larger(field, FRAME_MAX));
  const found = enlarged
    .filter((area) => enlarged.every((other) => other === area || !isNextTo(area, other)))
    .flatMap((area): [Box, FieldBox][] => {
      const sides = rules.filter((rule) => contains(area, boxOfRule(rule)));
      const isBoxed = [true, false].every((is) => sides.filter(({ across }) => across === is).length >= 2);
      return isBoxed ? [[area, fieldBox(larger(area, -FRAME_MAX), sides, fills)]] : [];
    });
  return new Map(found);
};

/** @returns a field with its background, and with its border if all four sides are drawn: the lines next to its edges */
const fieldBox = (field: Box, lines: readonly Rule[], fills: readonly Fill[]): FieldBox => {
  const { left, top, right, bottom } = field;
  const nearest = (isAcross: boolean, edge: number): Rule | undefined =>
    lines
      .filter(
        ({ across, from, to }) => across === isAcross && to - from > DRAWN * (across ? right - left : bottom - top),
      )
      .toSorted((one, other) => Math.abs(one.at - edge) - Math.abs(other.at - edge))[0];
  const [start, upper, end, lower] = [
    nearest(false, left),
    nearest(true, top),
    nearest(false, right),
    nearest(true, bottom),
  ];
  const fill = fills.find((each) => sizeOf(common(each, field)) > DRAWN * sizeOf(field))?.color;
  return start === undefined || upper === undefined || end === start || lower === upper || !end || !lower
    ? { ...field, fill }
    : {
        left: start.at,
        top: upper.at,
        right: end.at,
        bottom: lower.at,
        fill,
        border: { width: upper.width, color: upper.color },
      };
};

/** @returns a function that says whether a shape draws a check, or is in one of the areas */
export const drawsField = ({ checks }: Fields, boxed: Iterable<Box>): ((shape: Box) => boolean) => {
  const areas = [...checks, ...boxed];
  return (shape) => areas.some((area) => contains(area, shape));
};

/** @returns whether two fields are next to each other, as in the row of a table */
const isNextTo = (one: Box, other: Box): boolean => {
  const shared = common(one, other);
  return !isEmpty(shared) && shared.bottom - shared.top > shared.right - shared.left;
};
