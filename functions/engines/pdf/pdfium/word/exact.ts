import type { Figure, PageLayout, Paragraph, Run, TextLine, TurnedText } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import { bodyOf, paragraphsIn } from "../write/flow.ts";
import { type Part, placedXml, relate } from "./blocks.ts";
import { anchoredPicture, rectangle, textBox } from "./drawings.ts";

/** Drawings anchored to the page: pictures and turned text, and all text for the layout `exact`. */

/** Free width of a text box in points, so that a line in another font is not broken. */
const ROOM = 30;
const ROOM_SHARE = 0.1;
/** Height of a single line, and share of it above the baseline. */
const LINE_HEIGHT = 1.2;
const ASCENT = 0.8;

/** @param isUnder whether the text is over them @returns runs with pictures at their positions */
export const picturesXml = (part: Part, figures: readonly Figure[], isUnder: boolean): string =>
  figures
    .map((figure) => {
      const target = part.word.pictures.get(figure);
      const [width, height] = [figure.right - figure.left, figure.bottom - figure.top];
      const drawn = { id: part.word.nextId(), width, height, alt: figure.text };
      return target === undefined
        ? ""
        : anchoredPicture({ ...drawn, relation: relate(part, "image", target) }, figure, isUnder);
    })
    .join("");

/** @returns runs with the boxes of form fields at their positions, under the text */
export const fieldsXml = (part: Part, fields: PageLayout["fields"] = []): string =>
  fields
    .map((field) => {
      const [width, height] = [field.right - field.left, field.bottom - field.top];
      return rectangle({ id: part.word.nextId(), width, height }, field);
    })
    .join("");

/** @returns runs with the text that does not read horizontally, in boxes at its positions */
export const turnedXml = (part: Part, texts: readonly TurnedText[]): string =>
  texts
    .map(({ runs, quarters, ...box }) => {
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      const [length, thickness] = quarters === 2 ? [width, height] : [height, width];
      const line = { left: 0, top: 0, right: length, bottom: thickness };
      const content = lineXml(part, { runs, box: line, area: line, before: 0, rtl: false });
      return boxXml(part, grown(box, ROOMS[quarters]), content, quarters);
    })
    .join("");

/** The side to which text grows when its font is replaced. */
const ROOMS = { 1: "bottom", 2: "left", 3: "top" } as const;

const grown = (box: Box, side: keyof Box): Box => {
  const lying = side === "left" || side === "right";
  const room = ROOM + ROOM_SHARE * (lying ? box.right - box.left : box.bottom - box.top);
  return { ...box, [side]: box[side] + (side === "left" || side === "top" ? -room : room) };
};

/** @returns a run with a text box on the page */
export const boxXml = (part: Part, box: Box, content: string, quarters: 0 | 1 | 2 | 3 = 0): string => {
  const drawn = { id: part.word.nextId(), width: box.right - box.left, height: box.bottom - box.top };
  return textBox(drawn, box, content, quarters);
};

/** @returns runs with all text of a page: a box for each paragraph, in which lines are where they are printed */
export const textXml = (part: Part, page: PageLayout): string => {
  const notes = page.notes.flatMap(({ blocks }) => blocks);
  return paragraphsIn([...page.header, ...bodyOf(page), ...notes, ...page.footer])
    .map((paragraph) => paragraphBox(part, paragraph))
    .join("");
};

const paragraphBox = (part: Part, { lines, rtl, lineHeight }: Paragraph): string => {
  const [first] = lines;
  if (first === undefined) {
    return "";
  }
  const height = lineHeight > 0 ? lineHeight : LINE_HEIGHT * Math.max(...first.runs.map(({ size }) => size));
  const area = {
    left: Math.min(...lines.map((line) => line.left)),
    top: first.baseline - ASCENT * height,
    right: Math.max(...lines.map((line) => line.right)),
    bottom: (lines.at(-1) ?? first).baseline + (1 - ASCENT) * height,
  };
  const wide = grown(area, rtl ? "left" : "right");
  const content = lines.map((line, index) => {
    const before = line.baseline - (lines[index - 1]?.baseline ?? line.baseline - height) - height;
    const box = { left: line.left, right: line.right, top: 0, bottom: height };
    return lineXml(part, { ...line, box, area: wide, before, rtl });
  });
  return boxXml(part, wide, content.join(""));
};

interface LineTask {
  readonly runs: TextLine["runs"];
  readonly tabs?: TextLine["tabs"];
  readonly box: Box;
  readonly area: Pick<Box, "left" | "right">;
  readonly before: number;
  readonly rtl: boolean;
}

/** @returns a line as a separate paragraph */
const lineXml = (part: Part, { runs: printed, tabs, box, area, before, rtl }: LineTask): string => {
  const runs = drawnRuns(printed);
  const lines = [{ ...box, baseline: box.bottom, runs, tabs }];
  const plain = { indentLeft: 0, indentRight: 0, firstLine: 0, spaceBefore: 0, lineHeight: 0, open: false };
  const paragraph: Paragraph = { kind: "paragraph", ...box, ...plain, lines, align: "start", rtl, runs };
  return placedXml(part, { paragraph, frame: { ...area, column: box, slack: 0 }, before });
};

/** @returns the runs without what the picture of the page's drawings shows: lines and backgrounds */
const drawnRuns = (runs: readonly Run[]): Run[] =>
  runs.map(({ underline: _, strike: __, highlight: ___, field: ____, note, ...run }) =>
    note === undefined ? run : { ...run, shift: run.shift ?? "above" },
  );
