import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Source } from "./source.ts";
import { isNode, type Json } from "./tree.ts";
import { listOf } from "./walk.ts";

/** Formats without tight lists: each item is a paragraph, or looks like one. */
const WIDE: ReadonlySet<FormatId> = new Set(["docx", "odt", "tex", "jats", "docbook", "man"]);

const LISTS: ReadonlySet<string> = new Set(["BulletList", "OrderedList"]);

/** @returns the items of a list, as a tight list if none has more than one paragraph */
export const closed = (items: readonly Json[], { format }: Source): Json[] => {
  const single = items.every((item) => listOf(item).slice(1).every(isList));
  return WIDE.has(format) && single ? items.map((item) => listOf(item).map(plain)) : [...items];
};

/** @returns the table with single-paragraph cells as plain lines, as markup languages require */
export const flattened = (table: Json, source: Source): Json => {
  if (!WIDE.has(source.format) || !Array.isArray(table)) {
    return table;
  }
  const [only, ...others] = isCell(table) ? listOf(table[4]) : [];
  return isCell(table) && only !== undefined && others.length === 0
    ? [...table.slice(0, 4), [plain(only)]]
    : table.map((part) => flattened(part, source));
};

/** Attributes, alignment, rows, columns, blocks. */
const isCell = (value: readonly Json[]): boolean =>
  value.length === 5 && typeof value[2] === "number" && typeof value[3] === "number";

const isList = (block: Json): boolean => isNode(block) && LISTS.has(block.t);

const plain = (block: Json): Json => (isNode(block) && block.t === "Para" ? { ...block, t: "Plain" } : block);
