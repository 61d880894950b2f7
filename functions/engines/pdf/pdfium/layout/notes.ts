import type { Block, Note, Paragraph, Run } from "./model.ts";
import { textOf, withoutStart } from "./runs.ts";

/** Maximum size of the letters of a note, in units of the body size. */
const SIZE_MAX = 0.95;
const NOTES_MAX = 200;
const MARK = /^(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z])$/u;
const START = /^(\d{1,3}|[*†‡§¶]{1,3}|[a-z](?=\s))[.)]?\s*(?=\S)/u;

/** Superscript digits: some programs write the marks of notes with them. */
const RAISED = /([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+)/u;

/** @returns the runs with superscript digits as superscripts */
const withRaised = (runs: readonly Run[]): Run[] =>
  runs.flatMap((run) =>
    RAISED.test(run.text)
      ? run.text.split(RAISED).flatMap((text, index): Run[] => {
          const raised = index % 2 === 1 ? { text: text.normalize("NFKC"), shift: "above" as const } : { text };
          return text === "" ? [] : [{ ...run, ...raised }];
        })
      : [run],
  );

/** @returns the marks of notes that runs of text refer to */
export const marksIn = (blocks: readonly Block[]): ReadonlySet<string> =>
  new Set(
    withRaised(runsIn(blocks)).flatMap(({ shift, text }) =>
      shift === "above" && MARK.test(text.trim()) ? [text.trim()] : [],
    ),
  );

const runsIn = (blocks: readonly Block[]): Run[] =>
  blocks.flatMap((block) => {
    if (block.kind === "table") {
      return block.cells.flatMap((cell) => runsIn(cell.blocks));
    }
    return block.kind === "paragraph" ? block.runs : [];
  });

/** The blocks of a column and the notes at its end. */
export interface WithNotes {
  readonly blocks: readonly Block[];
  readonly notes: readonly Note[];
}

/** @returns the column's blocks, with the small paragraphs at its end that have one of the marks as notes */
export const notesIn = (blocks: readonly Block[], marks: ReadonlySet<string>, bodySize: number): WithNotes => {
  let start = blocks.length;
  while (start > 0 && isSmall(blocks[start - 1], bodySize)) {
    start -= 1;
  }
  const small = blocks.slice(start).filter((block): block is Paragraph => block.kind === "paragraph");
  const first = small.findIndex((paragraph) => markOf(paragraph, marks) !== undefined);
  if (first === -1) {
    return { blocks, notes: [] };
  }
  const notes: { mark: string; blocks: Paragraph[] }[] = [];
  for (const paragraph of small.slice(first, first + NOTES_MAX)) {
    const mark = markOf(paragraph, marks);
    if (mark === undefined) {
      notes.at(-1)?.blocks.push(paragraph);
    } else {
      const printed = START.exec(markedText(paragraph))?.[0].length ?? mark.length;
      const runs = paragraph.list === undefined ? withoutStart(paragraph.runs, printed) : paragraph.runs;
      notes.push({ mark, blocks: [{ ...paragraph, runs, list: undefined }] });
    }
  }
  return { blocks: blocks.slice(0, start + first), notes };
};

const isSmall = (block: Block | undefined, bodySize: number): boolean =>
  block?.kind === "paragraph" &&
  block.heading === undefined &&
  (MARK.test(markOfRun(block.runs[0])) ||
    block.runs.every(({ size, text }) => size < SIZE_MAX * bodySize || text.trim() === ""));

/** @returns the text of a superscript; empty for other text */
const markOfRun = (run: Run | undefined): string => (run?.shift === "above" ? run.text.trim() : "");

const markedText = ({ runs, list }: Paragraph): string =>
  `${list === undefined ? "" : `${list.mark} `}${textOf(runs)}`.replace(RAISED, (mark) => mark.normalize("NFKC"));

const markOf = (paragraph: Paragraph, marks: ReadonlySet<string>): string | undefined => {
  const mark = START.exec(markedText(paragraph))?.[1];
  return mark !== undefined && marks.has(mark) ? mark : undefined;
};

/** @returns the blocks with the marks in their text pointing to the notes */
export const referring = (blocks: readonly Block[], notes: readonly Note[]): Block[] => {
  const indexes = new Map(notes.map(({ mark }, index) => [mark, index]));
  const runs = (all: readonly Run[]) =>
    withRaised(all).map((run) => {
      const note = run.shift === "above" ? indexes.get(run.text.trim()) : undefined;
      return note === undefined ? run : { ...run, note };
    });
  const referred = (block: Block): Block => {
    if (block.kind === "table") {
      return { ...block, cells: block.cells.map((cell) => ({ ...cell, blocks: cell.blocks.map(referred) })) };
    }
    return block.kind === "paragraph" ? { ...block, runs: runs(block.runs) } : block;
  };
  return notes.length === 0 ? [...blocks] : blocks.map(referred);
};
