import type { Block, Figure, Note, Paragraph, Run, Table } from "../layout/model.ts";
import type { Relation } from "../write/slide-package.ts";
import { escapeXml } from "../write/xml.ts";
import { inlinePicture, type Media, separatorsXml } from "./drawings.ts";
import { filler, twips, w } from "./elements.ts";
import type { Fit } from "./fit.ts";
import { withOptionalHyphens } from "./hyphens.ts";
import { type Looks, lookOf } from "./looks.ts";
import type { Notes } from "./notes.ts";
import type { Numbering } from "./numbering.ts";
import { type Frame, type Placed, paragraphXml } from "./paragraphs.ts";
import type { RunTarget } from "./runs.ts";
import { paddingOf, rowsXml, TABLE_END, tableStart } from "./tables.ts";

/** What all parts of a document share while they are written. */
export interface Word {
  readonly looks: Looks;
  /** Whether only the structure is kept, not the look of the pages. */
  readonly plain: boolean;
  readonly fit: Fit;
  readonly numbering: Numbering;
  readonly notes: Notes;
  readonly media: Media;
  /** Targets of the pictures of the page that is written. */
  readonly pictures: WeakMap<Figure, string>;
  /** @returns a number that no other drawing of the document has */
  nextId(): number;
}

/** A part of the package with text: the body, a header, a footer, the notes. */
export interface Part {
  readonly word: Word;
  readonly relations: Relation[];
  /** The notes of all pages so far, in the body. */
  readonly notes: Note[];
}

export const partOf = (word: Word): Part => ({ word, relations: [], notes: [] });

/** @returns the id of the part's relationship to a target */
export const relate = ({ relations }: Part, type: Relation["type"], target: string): string => {
  const known = relations.find((relation) => relation.type === type && relation.target === target);
  const id = known?.id ?? `rId${relations.length + 1}`;
  if (known === undefined) {
    relations.push({ id, type, target });
  }
  return id;
};

/** @returns what the runs of a paragraph need from the part */
export const targetOf = (
  part: Part,
  { heading, rtl }: Pick<Paragraph, "heading" | "rtl">,
  squeezed = 0,
): RunTarget => ({
  look: lookOf(part.word.looks, { heading }),
  plain: part.word.plain,
  spacing: (run) => part.word.fit.replaced(run) - squeezed,
  rtl,
  link: (address) => relate(part, "hyperlink", encodeAddress(address)),
  note: (index, properties) => {
    const note = part.notes[index];
    return note === undefined ? undefined : part.word.notes.refer(note, properties);
  },
});

/** Word reports the document as damaged if the target of a link is not an URI. */
const encodeAddress = (address: string): string =>
  escapeXml(address.toWellFormed().replace(/[^\x21-\x7e]|[<>"{}|\\^`]|%(?![0-9a-f]{2})/giu, encodeURIComponent));

/** @returns a paragraph, with its separators, and with a place in a list if it has one */
export const placedXml = (part: Part, placed: Placed): string => {
  const { paragraph, before, isFirst, lead = "" } = placed;
  const { list, separators } = paragraph;
  const top = paragraph.top - Math.max(0, before);
  const own = separatorsXml(separators, { nextId: part.word.nextId, top, isFirst });
  const referred = list === undefined || placed.list !== undefined ? placed.list : part.word.numbering.refer(list);
  return paragraphXml(
    { ...placed, list: referred, lead: lead + own },
    targetOf(part, paragraph, part.word.fit.squeezed(paragraph, placed.frame)),
  );
};

interface FigureTask {
  readonly figure: Figure;
  readonly frame: Frame;
  readonly before: number;
  readonly pageBreak?: boolean;
  readonly lead?: string;
  readonly after?: number;
  /** Properties of the section that ends with it. */
  readonly section?: string;
}

/** Word's largest height of a line with a picture in it. */
const HEIGHT_MAX = 1_500;

/** @returns a paragraph with the picture as its only letter; an empty one if there is no picture */
export const figureXml = (part: Part, task: FigureTask): string => {
  const { figure, frame, before, lead = "", after = 0, section = "" } = task;
  const target = part.word.pictures.get(figure);
  const [width, height] = [figure.right - figure.left, Math.min(HEIGHT_MAX, figure.bottom - figure.top)];
  const drawn = { id: part.word.nextId(), width, height, alt: figure.text };
  const picture = target === undefined ? "" : inlinePicture({ ...drawn, relation: relate(part, "image", target) });
  const properties = [
    task.pageBreak === true ? "<w:pageBreakBefore/>" : "",
    w("spacing", { before: Math.max(0, twips(before)), after: Math.max(0, twips(after)) }),
    w("ind", { left: twips(figure.left - frame.left) }),
    w("rPr", {}, '<w:sz w:val="2"/><w:szCs w:val="2"/>'),
    section,
  ];
  return w("p", {}, w("pPr", {}, ...properties), lead, picture);
};

/** @returns a table without its end, and the inner margin of its cells */
export const openTable = (
  part: Part,
  table: Table,
  frame: Pick<Frame, "left" | "right">,
): { xml: string; padding: number } => {
  const padding = paddingOf(table);
  return { xml: tableStart(table, frame, padding) + tableRows(part, table, { padding, skip: 0 }), padding };
};

export const tableRows = (part: Part, table: Table, { padding, skip }: { padding: number; skip: number }): string =>
  rowsXml(table, { padding, skip, write: (blocks, frame, top) => blocksXml(part, blocks, frame, top) });

/** @returns blocks below each other, from a height on the page; the last one is a paragraph */
export const blocksXml = (part: Part, blocks: readonly Block[], frame: Frame, top: number): string => {
  let y = top;
  let afterTable = true;
  const written = blocks.map((block, index) => {
    const before = block.top - y;
    y = Math.max(y, block.top) + block.bottom - block.top;
    if (block.kind === "table") {
      const space = before >= 1 || afterTable ? filler({ height: before }) : "";
      afterTable = true;
      return `${space}${openTable(part, block, frame).xml}${TABLE_END}`;
    }
    afterTable = false;
    if (block.kind === "figure") {
      return figureXml(part, { figure: block, frame, before });
    }
    const paragraph = { ...block, runs: withOptionalHyphens(block) };
    return placedXml(part, { paragraph, frame, before, isFirst: index === 0 });
  });
  return written.join("") + (afterTable ? filler() : "");
};

/** @returns the runs of a text that is not in the layout's paragraphs */
export const like = (run: Run | undefined, text: string): Run[] => (run === undefined ? [] : [{ ...run, text }]);
