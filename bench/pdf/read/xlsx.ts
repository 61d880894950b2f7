import { zipHolds } from "../../../test/engines/support/entries.ts";
import type { Content, GridCell } from "../result.ts";
import { below, childOf, childrenOf, type Node, xmlOf } from "./xml.ts";

/** A sheet with the text of a page: a PDF without tables becomes such sheets. */
const PAGE = /^Page \d+$/u;

/** Reads the sheets of a workbook, each as a table. Numbers are read as displayed, as far as the scores need. */
export const readXlsx = async (path: string): Promise<Content> => {
  const parts = await zipHolds(path);
  const shared = childrenOf(childOf(xmlOf(parts["xl/sharedStrings.xml"] ?? "<none/>"), "sst"), "si").map(textOf);
  const formats = formatsOf(parts["xl/styles.xml"]);
  const sheets = Object.keys(parts)
    .filter((name) => /^xl\/worksheets\/[^/]+\.xml$/u.test(name))
    .sort((one, other) => Number(one.replaceAll(/\D/gu, "")) - Number(other.replaceAll(/\D/gu, "")));
  const names = below(xmlOf(parts["xl/workbook.xml"] ?? "<none/>"), "sheet").map(({ attributes }) => attributes.name);
  const all = sheets.map((name) => sheetOf(xmlOf(parts[name] ?? "<none/>"), shared, formats));
  const lines = all.flatMap((cells) => cells.map(({ text }) => text));
  return { lines, grids: all.filter((_, index) => !PAGE.test(names[index] ?? "")), words: [] };
};

const textOf = (node: Node): string =>
  below(node, "t")
    .map(({ text }) => text)
    .join("");

/** @returns the number format of each cell style */
const formatsOf = (source: string | undefined): string[] => {
  const styles = childOf(xmlOf(source ?? "<none/>"), "styleSheet");
  const own = new Map(
    childrenOf(childOf(styles, "numFmts"), "numFmt").map(({ attributes }) => [
      attributes.numFmtId,
      attributes.formatCode,
    ]),
  );
  const builtIn: Readonly<Record<string, string>> = { "9": "0%", "10": "0.00%", "14": "mm-dd-yy" };
  return childrenOf(childOf(styles, "cellXfs"), "xf").map(({ attributes }) => {
    const id = attributes.numFmtId ?? "0";
    return own.get(id) ?? builtIn[id] ?? "";
  });
};

const sheetOf = (root: Node, shared: readonly string[], formats: readonly string[]): GridCell[] => {
  const spans = new Map(below(root, "mergeCell").map(({ attributes }) => spanOf(attributes.ref ?? "A1")));
  // Cells without a value have only a style: empty ones, and those that a merged cell covers.
  const filled = below(root, "c").filter((node) => node.children.length > 0);
  return filled.map((node) => {
    const { r: name = "A1", t: type, s: style } = node.attributes;
    const [rows, columns] = spans.get(name) ?? [1, 1];
    const value = childOf(node, "v")?.text ?? "";
    const text = type === "s" ? (shared[Number(value)] ?? "") : type === "inlineStr" ? textOf(node) : value;
    const isNumber = type === undefined || type === "n";
    const [row, column] = placeOf(name);
    return { row, column, rows, columns, text: isNumber ? displayed(text, formats[Number(style ?? 0)] ?? "") : text };
  });
};

const LETTERS = 26;

const placeOf = (name: string): [number, number] => {
  const [, letters = "A", digits = "1"] = /^([A-Z]+)(\d+)$/u.exec(name) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 64, 0);
  return [Number(digits) - 1, column - 1];
};

const spanOf = (reference: string): [string, [number, number]] => {
  const [first = "A1", last = first] = reference.split(":");
  const [[top, left], [bottom, right]] = [placeOf(first), placeOf(last)];
  return [first, [bottom - top + 1, right - left + 1]];
};

/** Day 0 of a workbook in milliseconds. */
const EPOCH = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

/** @returns a number with its decimals, percentages and dates as the format shows them */
const displayed = (text: string, format: string): string => {
  const value = Number(text);
  if (text === "" || Number.isNaN(value)) {
    return text;
  }
  const plain = format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./gu, "");
  if (/[dmy]/iu.test(plain)) {
    return dated(new Date(EPOCH + value * DAY_MS), plain);
  }
  const decimals = /\.(0+)/u.exec(plain)?.[1]?.length;
  const shown = plain.includes("%") ? value * 100 : value;
  return decimals === undefined ? String(Number(shown.toFixed(10))) : shown.toFixed(decimals);
};

const dated = (date: Date, format: string): string => {
  const [day, month, year] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()];
  const name = date.toLocaleDateString("en", { month: "long", timeZone: "UTC" });
  const values: Readonly<Record<string, string>> = {
    d: String(day),
    dd: String(day).padStart(2, "0"),
    m: String(month),
    mm: String(month).padStart(2, "0"),
    mmm: name.slice(0, 3),
    mmmm: name,
    yy: String(year).slice(2),
    yyyy: String(year),
  };
  return format.replaceAll(/d+|m+|y+/giu, (part) => values[part.toLowerCase()] ?? part);
};
