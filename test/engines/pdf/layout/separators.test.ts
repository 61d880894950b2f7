import { expect, test } from "vitest";
import type { Separator } from "../../../../functions/engines/pdf/pdfium/layout/model.ts";
import {
  across,
  down,
  firstPage,
  layout,
  line,
  lines,
  paragraphsIn,
  prose,
  tablesIn,
  textOf,
} from "../../support/documents/layout-content.ts";

/** Lines and areas of a page that are neither borders nor underlines. */

const places = (separators: readonly Separator[] = []): number[][] =>
  separators.map(({ left, top, right, bottom }) => [left, (top + bottom) / 2, right]);
const above = lines(prose(4, 400), 50, 100);
const below = lines(prose(4, 400), 50, 300);

test("a line between two paragraphs belongs to the one below it", () => {
  const found = firstPage({ words: [...above, ...below], rules: [across(240, 50, 450)] });
  const [first, second] = paragraphsIn(found);
  expect(places(first?.separators)).toEqual([]);
  expect(places(second?.separators)).toEqual([[50, 240, 450]]);
  expect(found.separators).toEqual([]);
});

test("a line below the last paragraph belongs to it, and one far from all text stands on the page", () => {
  const found = firstPage({ words: above, rules: [across(175, 50, 450), across(600, 50, 450)] });
  expect(paragraphsIn(found).map(({ separators }) => places(separators))).toEqual([[[50, 175, 450]]]);
  expect(places(found.separators)).toEqual([[50, 600, 450]]);
});

test("an upright line belongs to the paragraph next to its start, unless it is much longer", () => {
  const found = firstPage({ words: [...above, ...below], rules: [down(46, 105, 150), down(440, 105, 340)] });
  expect(paragraphsIn(found).map(({ separators }) => separators?.length ?? 0)).toEqual([1, 0]);
  expect(found.separators).toHaveLength(1);
});

test("a colored area without text is kept; a white one, a background and one under words are not", () => {
  const fill = (top: number, bottom: number, color: string) => ({ left: 50, right: 450, top, bottom, color });
  const fills = [
    fill(230, 240, "00ff00"),
    fill(250, 260, "ffffff"),
    { ...fill(0, 800, "eeeeee"), left: 0, right: 600 },
  ];
  const found = firstPage({ words: [...above, ...below], fills });
  expect(paragraphsIn(found).flatMap(({ separators = [] }) => separators)).toEqual([fills[0]]);
});

test("borders of tables, marks for cutting, parts of signs and underlines are none", () => {
  const words = lines(["One Two"], 60, 112);
  const table = [
    across(100, 50, 450),
    across(130, 50, 450),
    down(50, 100, 130),
    down(250, 100, 130),
    down(450, 100, 130),
  ];
  const cells = [...lines(["Left"], 60, 120), ...lines(["Right"], 260, 120)];
  const ruled = firstPage({ words: cells, rules: table });
  expect(tablesIn(ruled)).toHaveLength(1);
  expect(ruled.separators).toBeUndefined();
  const others = [
    across(5, 0, 18),
    across(400, 50, 60),
    across((words[0]?.baseline ?? 0) + 1.5, 60, words[0]?.right ?? 0),
  ];
  const found = firstPage({ words, rules: others });
  expect(paragraphsIn(found).map(textOf)).toEqual(["One Two"]);
  expect(found.separators).toBeUndefined();
  expect(paragraphsIn(found)[0]?.separators).toBeUndefined();
});

test("scans have none", () => {
  const scanned = firstPage({ words: [...above, ...below], rules: [across(240, 50, 450)], scanned: true });
  expect(paragraphsIn(scanned).flatMap(({ separators = [] }) => separators)).toEqual([]);
});

test("a line under the running line of each page belongs to that line", () => {
  const pages = Array.from({ length: 4 }, (_, index) => {
    const body = prose(20, 400).map((text) => `${text} ${index}`);
    return { words: [...lines(["Annual report"], 50, 40), ...lines(body, 50, 100)], rules: [across(52, 50, 450)] };
  });
  for (const { header, separators } of layout(...pages).pages) {
    expect(header.map((block) => block.kind === "paragraph" && places(block.separators))).toEqual([[[50, 52, 450]]]);
    expect(separators).toEqual([]);
  }
});

test("the line above footnotes is left to Word, and no upright line reaches into them", () => {
  const text = [...lines(prose(5, 400), 50, 100), ...line("ended", 50, 160), ...line("1", 75.5, 156, { size: 6 })];
  const note = [...line("1", 50, 700, { size: 5 }), ...line("The note.", 54, 702, { size: 8 })];
  const found = firstPage({ words: [...text, ...note], rules: [across(688, 50, 200)] });
  expect(found.notes).toHaveLength(1);
  expect(found.separators).toBeUndefined();
  const upright = firstPage({ words: [...text, ...note], rules: [down(450, 90, 750)] });
  expect(upright.separators?.map(({ top, bottom }) => [top, Math.round(bottom)])).toEqual([[90, 674]]);
});
