/** Elements and units of WordprocessingML (ECMA-376, part 1). */

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** @returns an element of the main namespace; attributes without a value are left out */
export const w = (name: string, attributes: Attributes = {}, ...content: readonly string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? "" : ` ${key.includes(":") ? key : `w:${key}`}="${value}"`,
  );
  const inner = content.join("");
  return inner === "" ? `<w:${name}${written.join("")}/>` : `<w:${name}${written.join("")}>${inner}</w:${name}>`;
};

/** @returns an element with the attribute `val` */
export const val = (name: string, value: string | number): string => `<w:${name} w:val="${value}"/>`;

/** @returns a property that is on or off; nothing if it is as in the style */
export const toggle = (name: string, on: boolean, style: boolean): string =>
  on === style ? "" : on ? `<w:${name}/>` : `<w:${name} w:val="0"/>`;

/** 22 inches: the largest measure that Word accepts. */
const TWIPS_MAX = 31_680;
const EMU_PER_POINT = 12_700;

/** @returns twentieths of a point, in Word's range */
export const twips = (points: number): number =>
  Math.max(-TWIPS_MAX, Math.min(TWIPS_MAX, Math.round((Number.isFinite(points) ? points : 0) * 20)));

/** @returns English Metric Units, in Word's range */
export const emu = (points: number): number => Math.round((twips(points) / 20) * EMU_PER_POINT);

/** @returns half points of a font size, in Word's range */
export const halfPoints = (size: number): number => Math.max(2, Math.min(3_276, Math.round(size * 2)));

interface Filler {
  /** Points. @default 1 */
  readonly height?: number;
  readonly after?: number;
  readonly pageBreak?: boolean;
  /** Runs with breaks or anchored drawings. */
  readonly lead?: string;
  /** Properties of the section that ends with it. */
  readonly section?: string;
}

/** @returns a paragraph without text: Word requires one after tables, and at the end of sections */
export const filler = ({ height = 1, after = 0, pageBreak = false, lead = "", section = "" }: Filler = {}): string => {
  const line = { line: Math.max(20, twips(height)), lineRule: "exact" };
  const properties = [
    pageBreak ? "<w:pageBreakBefore/>" : "",
    w("spacing", { before: 0, after: Math.max(0, twips(after)), ...line }),
    w("rPr", {}, val("sz", 2), val("szCs", 2)),
    section,
  ];
  return w("p", {}, w("pPr", {}, ...properties), lead);
};
