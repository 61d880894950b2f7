import { zipHolds } from "../../../test/engines/support/entries.ts";
import { type Content, type GridCell, type GridCells, type Look, type StyledWord, styledWords } from "../result.ts";
import { type Styles, stylesOf } from "./docx-styles.ts";
import { below, childOf, childrenOf, type Node, xmlOf } from "./xml.ts";

/** What a paragraph or table adds. */
interface Reading {
  readonly styles: Styles;
  readonly lines: string[];
  readonly grids: GridCells[];
  readonly words: StyledWord[];
  readonly labels: string[];
  /** Ids of the footnotes in the order of their references, which is that of their numbers. */
  readonly notes: string[];
  /** Number of the footnote that is read. */
  note?: number;
}

/**
 * Reads a Word document as a user sees it: body text, then footnotes, with their numbers; headers and footers are not part
 * of it.
 */
export const readDocx = async (path: string): Promise<Content> => {
  const parts = await zipHolds(path);
  const styles = stylesOf(parts["word/styles.xml"]);
  const reading: Reading = { styles, lines: [], grids: [], words: [], labels: [], notes: [] };
  const body = childOf(xmlOf(parts["word/document.xml"] ?? "<none/>"), "document", "body");
  readBlocks(body?.children ?? [], reading);
  for (const note of childrenOf(childOf(xmlOf(parts["word/footnotes.xml"] ?? "<none/>"), "footnotes"), "footnote")) {
    if (note.attributes.type === undefined) {
      reading.note = reading.notes.indexOf(note.attributes.id ?? "") + 1;
      readBlocks(note.children, reading);
    }
  }
  return reading;
};

/** @returns the text of the blocks */
const readBlocks = (nodes: readonly Node[], reading: Reading): string =>
  nodes.map((node) => readBlock(node, reading)).join(" ");

const readBlock = (node: Node, reading: Reading): string => {
  switch (node.name) {
    case "p":
      return readParagraph(node, reading);
    case "tbl":
      return readTable(node, reading);
    case "sdt":
      return readBlocks(childOf(node, "sdtContent")?.children ?? [], reading);
    default:
      return "";
  }
};

const readParagraph = (node: Node, reading: Reading): string => {
  const runs: { text: string; number: string; look: Look }[] = [];
  const boxes: string[] = [];
  const collect = (parent: Node): void => {
    for (const child of parent.children) {
      if (child.name === "r") {
        runs.push({
          text: runText(child),
          number: noteNumber(child, reading),
          look: reading.styles.runOf(node, child),
        });
        reading.labels.push(...below(child, "docPr").flatMap(({ attributes }) => attributes.descr ?? []));
        boxes.push(...boxesIn(child).map((box) => readBlocks(box.children, reading)));
      } else if (["hyperlink", "ins", "smartTag", "fldSimple", "sdt", "sdtContent"].includes(child.name)) {
        collect(child);
      }
    }
  };
  collect(node);
  const text = runs.map((run) => run.text + run.number).join("");
  reading.lines.push(text);
  reading.words.push(...styledWords(runs, reading.styles.alignOf(node)));
  return [...boxes, text].join(" ");
};

const runText = (run: Node): string =>
  run.children
    .map(({ name, text }) => ({ t: text, tab: "\t", br: "\n", cr: "\n", noBreakHyphen: "-" })[name] ?? "")
    .join("");

/** @returns the number of the footnote that a run refers to, or is the mark of; empty if it has a mark as text */
const noteNumber = (run: Node, reading: Reading): string => {
  const reference = childOf(run, "footnoteReference");
  if (reference === undefined || isOn(reference.attributes.customMarkFollows)) {
    return childOf(run, "footnoteRef") === undefined ? "" : `${reading.note ?? ""} `;
  }
  return String(reading.notes.push(reference.attributes.id ?? ""));
};

const isOn = (value = "0"): boolean => !["0", "false", "off"].includes(value);

/** Text boxes; the fallback for old programs repeats them. */
const boxesIn = (run: Node): Node[] =>
  run.children.flatMap((child) =>
    child.name === "Fallback" ? [] : child.name === "txbxContent" ? [child] : boxesIn(child),
  );

const readTable = (table: Node, reading: Reading): string => {
  const cells: GridCell[] = [];
  const open = new Map<number, number>();
  for (const [row, line] of childrenOf(table, "tr").entries()) {
    let column = Number(childOf(line, "trPr", "gridBefore")?.attributes.val ?? 0);
    for (const node of cellsOf(line)) {
      const properties = childOf(node, "tcPr");
      const columns = Number(childOf(properties, "gridSpan")?.attributes.val ?? 1);
      const merge = childOf(properties, "vMerge");
      const text = readBlocks(node.children, reading).trim();
      const above = open.get(column);
      if (merge !== undefined && merge.attributes.val !== "restart" && above !== undefined) {
        const cell = cells[above];
        cells[above] = { ...(cell ?? { row, column, columns, text }), rows: row - (cell?.row ?? row) + 1 };
      } else {
        open.set(column, cells.length);
        cells.push({ row, column, rows: 1, columns, text });
      }
      column += columns;
    }
  }
  reading.grids.push(cells);
  return cells.map(({ text }) => text).join(" ");
};

const cellsOf = (line: Node): Node[] =>
  line.children.flatMap((child) => (child.name === "tc" ? [child] : child.name === "sdt" ? below(child, "tc") : []));
