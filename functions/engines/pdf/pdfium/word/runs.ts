import type { Run } from "../layout/model.ts";
import { escapeXml } from "../write/xml.ts";
import { halfPoints, toggle, twips, val, w } from "./elements.ts";
import { COMPLEX, familyOf, fontsOf, isSymbolic } from "./fonts.ts";
import type { Look } from "./looks.ts";

/** What runs need from the part of the package in which they are. */
export interface RunTarget {
  /** The style of the paragraph. */
  readonly look: Look;
  /** Whether only emphasis is kept, not the look of the page. */
  readonly plain: boolean;
  readonly rtl: boolean;
  /** Letter spacing in points. */
  readonly spacing: (run: Run) => number;
  /** @returns the id of the relationship to a URL */
  link(address: string): string;
  /** @returns the reference to a note of the page; undefined if it is not in this document */
  note(index: number, properties: string): string | undefined;
}

/** @returns the runs of a paragraph, with links, fields and references to notes */
export const runsXml = (runs: readonly Run[], target: RunTarget): string => {
  let xml = "";
  for (let index = 0; index < runs.length; ) {
    const link = runs[index]?.link;
    let end = index + 1;
    while (end < runs.length && runs[end]?.link === link) {
      end += 1;
    }
    const inner = runs
      .slice(index, end)
      .map((run) => runXml(run, target))
      .join("");
    xml += link === undefined ? inner : w("hyperlink", { "r:id": target.link(link), history: 1 }, inner);
    index = end;
  }
  return xml;
};

const runXml = (run: Run, target: RunTarget): string => {
  if (run.note !== undefined) {
    const reference = target.note(run.note, propertiesOf({ ...run, shift: "above" }, run.text, target));
    if (reference !== undefined) {
      return reference;
    }
  }
  const parts = directed(run.text, target.rtl).map(({ text, rtl }) =>
    w("r", {}, propertiesOf(run, text, target, rtl), textXml(text, familyOf(run))),
  );
  const written = parts.join("");
  return run.field === undefined
    ? written
    : w("fldSimple", { instr: run.field === "page" ? " PAGE " : " NUMPAGES " }, written);
};

const RTL = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]";
/** Letters that read from right to left, with the marks and spaces between them. */
const RTL_SPAN = new RegExp(`${RTL}(?:[^\\p{L}\\p{N}]*${RTL})*`, "gu");
/** Letters that read from left to right, with what stands between them. */
const LTR_SPAN =
  /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}(?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[\p{L}\p{N}](?<![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]))*/gu;

interface Directed {
  readonly text: string;
  readonly rtl: boolean;
}

/** @returns the text in parts of one direction, as Word stores it */
const directed = (text: string, paragraphRtl: boolean): Directed[] => {
  const other = paragraphRtl ? LTR_SPAN : RTL_SPAN;
  const parts: Directed[] = [];
  let at = 0;
  for (const { index, 0: span } of text.matchAll(other)) {
    parts.push({ text: text.slice(at, index), rtl: paragraphRtl }, { text: span, rtl: !paragraphRtl });
    at = index + span.length;
  }
  parts.push({ text: text.slice(at), rtl: paragraphRtl });
  return parts.filter((part) => part.text !== "");
};

/** @returns the run's properties, in the order of the schema (CT_RPr), as far as they differ from the style */
const propertiesOf = (run: Run, text: string, { look, plain, spacing }: RunTarget, rtl = false): string => {
  const complex = rtl || COMPLEX.test(text);
  const family = familyOf(run);
  const fonts = fontsOf(family, text, run.serif);
  const sized = !plain && halfPoints(run.size) !== halfPoints(look.size);
  const spaced = plain || complex ? 0 : twips(spacing(run));
  const emphasis = (name: string, on: boolean, style: boolean): string =>
    toggle(name, on, style) + (complex ? toggle(`${name}Cs`, on, style) : "");
  const properties = [
    plain && run.link !== undefined ? val("rStyle", "Hyperlink") : "",
    !plain && (family !== look.family || fonts.eastAsia !== undefined) ? w("rFonts", fonts) : "",
    emphasis("b", run.bold, look.bold),
    emphasis("i", run.italic, look.italic),
    run.strike === true ? "<w:strike/>" : "",
    !plain && run.color !== look.color ? val("color", run.color) : "",
    spaced === 0 ? "" : val("spacing", spaced),
    sized ? val("sz", halfPoints(run.size)) + val("szCs", halfPoints(run.size)) : "",
    run.underline === true && !(plain && run.link !== undefined) ? val("u", "single") : "",
    !plain && run.highlight !== undefined ? w("shd", { val: "clear", color: "auto", fill: run.highlight }) : "",
    run.shift === undefined ? "" : val("vertAlign", run.shift === "above" ? "superscript" : "subscript"),
    rtl ? "<w:rtl/>" : "",
  ];
  return w("rPr", {}, ...properties).replace("<w:rPr/>", "");
};

const ELEMENTS: Readonly<Record<string, string>> = { "\t": "<w:tab/>", "\n": "<w:br/>", "\u00ad": "<w:softHyphen/>" };

/** @returns the text with tabs, line breaks and the signs of symbol fonts as elements */
const textXml = (text: string, family: string): string =>
  text
    .split(/([\t\n\u00ad\uf000-\uf0ff])/)
    .map((part) => {
      if (!/^[\uf000-\uf0ff]/.test(part)) {
        return part === "" ? "" : (ELEMENTS[part] ?? `<w:t xml:space="preserve">${escapeXml(part)}</w:t>`);
      }
      const code = part.charCodeAt(0).toString(16).toUpperCase();
      return w("sym", { font: isSymbolic(family) ? family : "Symbol", char: code });
    })
    .join("");
