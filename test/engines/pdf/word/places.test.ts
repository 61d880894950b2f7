import { expect, test } from "vitest";
import { sheetsOf } from "../../../../functions/engines/pdf/pdfium/word/sections.ts";
import { withTables } from "../../../../functions/engines/pdf/pdfium/word/side-by-side.ts";
import { pageText } from "../../../../functions/engines/pdf/pdfium/write/write-text.ts";
import { column, layout, page, paragraph, section } from "../../support/documents/layout.ts";

/** Places of blocks in Word documents and in text. */

test("puts only paragraphs at the same height side by side", () => {
  const [left, right] = [paragraph("Ana", 90, { right: 200 }), paragraph("Ben", 92, { left: 300 })];
  const footer = paragraph("Report", 700, { right: 200 });
  expect(withTables([left, right]).map(({ kind }) => kind)).toEqual(["table"]);
  const { lines } = paragraph("Ben", 90, {});
  const [one, other] = [
    { ...left, lines: lines.map((line) => ({ ...line, right: 200 })) },
    { ...right, top: 90, lines: lines.map((line) => ({ ...line, left: 300 })) },
  ];
  expect(withTables([one, other])).toMatchObject([
    { kind: "paragraph", left: 72, right: 540, lines: [{ tabs: [300] }] },
  ]);
  expect(withTables([footer, right]).map(({ kind }) => kind)).toEqual(["paragraph", "paragraph"]);
});

test("takes the left margin from columns side by side, and else from all", () => {
  const wide = page([paragraph("Title", 80, { left: 36 })]);
  const split = page([], {
    sections: [section(column([paragraph("Left", 100)], 54, 296), column([paragraph("Right", 100)], 316, 540))],
  });
  const outer = { ...wide, sections: [section(column([paragraph("Title", 80)], 36, 576))] };
  expect(sheetsOf(layout(split, outer).pages, false)).toMatchObject([{ left: 54 }]);
  expect(sheetsOf(layout(outer).pages, false)).toMatchObject([{ left: 36 }]);
});

test("keeps the labels of a drawing as lines of text", () => {
  const figure = { kind: "figure", left: 72, top: 100, right: 300, bottom: 200, spaceBefore: 0 } as const;
  expect(pageText(page([paragraph("Above", 80), { ...figure, text: "Axis\n12" }, figure]))).toBe("Above\n\nAxis\n12");
});
