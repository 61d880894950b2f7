import { expect, test } from "vitest";
import type { TurnedWord } from "../../../../functions/engines/pdf/pdfium/content/content.ts";
import { withPaleText } from "../../../../functions/engines/pdf/pdfium/layout/pale-text.ts";
import { page as madePage, paragraph, run } from "../../support/documents/layout.ts";
import {
  across,
  blocksIn,
  down,
  firstPage,
  layout,
  line,
  lines,
  page,
  paragraphsIn,
  prose,
  tablesIn,
  textOf,
} from "../../support/documents/layout-content.ts";

/** Turned pages, figures and pages of any size. */

/** @returns words that read downward at the given distance from the right edge */
const downward = (texts: readonly string[]): TurnedWord[] =>
  lines(texts, 50, 100).map((word) => ({
    ...word,
    ...{ left: 600 - word.bottom, right: 600 - word.top, top: word.left, bottom: word.right },
    quarters: 1,
  }));

test("turns a page whose text is mostly sideways, with its rules", () => {
  const turned = downward(prose(6, 400));
  const found = firstPage({ turned, rules: [down(520, 50, 450)] });
  expect(found).toMatchObject({ rotation: 1, width: 800, height: 600, turned: [] });
  expect(paragraphsIn(found).map(textOf)).toEqual([prose(6, 400).join(" ")]);
});

test("keeps a few sideways words apart from upright text", () => {
  const found = firstPage({ words: lines(prose(20, 400), 50, 100), turned: downward(["In the margin"]) });
  expect(found.rotation).toBeUndefined();
  expect(found.turned.map(({ quarters, runs }) => [quarters, runs.map(({ text }) => text).join("")])).toEqual([
    [1, "In the margin"],
  ]);
});

const CHART = { left: 100, top: 240, right: 300, bottom: 335 };
const PATH = { path: [0] };

test("keeps pictures in the flow, backgrounds out of it, and a scan without text on the page", () => {
  const picture = { left: 50, top: 200, right: 250, bottom: 300, ...PATH };
  const whole = { left: 0, top: 0, right: 600, bottom: 800, ...PATH };
  const words = [...lines(prose(6, 400), 50, 100), ...lines(prose(6, 400), 50, 330)];
  const found = firstPage({ words, pictures: [picture, whole] });
  expect(blocksIn(found).map(({ kind }) => kind)).toEqual(["paragraph", "figure", "paragraph"]);
  expect(found.floats).toMatchObject([{ picture: 1 }]);
  expect(blocksIn(firstPage({ pictures: [whole] }))).toMatchObject([{ kind: "figure", picture: 0 }]);
});

test("keeps a drawing and its labels together as one figure", () => {
  const words = [...lines(prose(6, 400), 50, 100), ...line("Axis", 120, 260), ...line("12", 180, 310)];
  const [, figure] = blocksIn(firstPage({ words, drawings: [{ left: 100, top: 240, right: 300, bottom: 330 }] }));
  expect(figure).toMatchObject({ kind: "figure", text: "Axis\n12", left: 100, right: 300 });
  expect(figure && "picture" in figure ? figure.picture : undefined).toBeUndefined();
});

test("adds the scales of a chart, labels across its edge and sideways labels to its figure", () => {
  const prints = lines(prose(6, 400), 50, 100);
  const scales = [
    ...["0.3", "0.2", "0.1", "0.0"].flatMap((text, index) => line(text, 82, 260 + index * 25)),
    ...["0", "50", "100", "150"].flatMap((text, index) => line(text, 100 + index * 60, 345)),
  ];
  const content = { words: [...prints, ...scales, ...line("Stations", 285, 300)], drawings: [CHART] };
  const turned = downward(["Rain"]).map((word) => ({ ...word, left: 104, right: 114, top: 270, bottom: 290 }));
  const found = firstPage({ ...content, turned });
  const [, figure, ...others] = blocksIn(found);
  expect(figure).toMatchObject({ kind: "figure", left: 82, text: "0.3\n0.2\nStations\n0.1\n0.0\n0 50 100 150\nRain" });
  expect([others, found.turned]).toEqual([[], []]);
});

test("adds text in small letters next to a drawing to its figure, not text of the usual size", () => {
  const small = [...line("Harbor master", 308, 280, { size: 6 }), ...line("Pier", 190, 345, { size: 6 })];
  const words = [...lines(prose(6, 400), 50, 100), ...line("Pilot", 360, 300), ...small];
  const found = firstPage({ words, drawings: [CHART] });
  expect(blocksIn(found).find(({ kind }) => kind === "figure")).toMatchObject({ text: "Harbor master\nPier" });
  expect(paragraphsIn(found).map(textOf).slice(1)).toEqual(["Pilot"]);
});

test("keeps framed charts side by side together, and the labels of a chart in its own figure", () => {
  const pairOf = (left: string, right: string, y: number) => [...line(left, 70, y), ...line(right, 330, y)];
  const rows = [...pairOf("Portugal and Germany", "Spain and Germany in points", 110), ...pairOf("May", "June", 190)];
  const charts = (left: number) =>
    blocksIn(
      firstPage({
        words: [...rows, ...line("450", left + 2, 150, { size: 6 })],
        drawings: [
          { left: 50, top: 90, right: 290, bottom: 200 },
          { left, top: 90, right: 550, bottom: 200 },
        ],
      }),
    );
  expect(charts(295)).toMatchObject([{ kind: "figure", left: 50, right: 550 }]);
  expect(charts(297)).toMatchObject([
    { kind: "figure", left: 50, right: 290 },
    { kind: "figure", left: 297, right: 550 },
  ]);
});

test("keeps numbers next to a drawing that are no scale in the text", () => {
  const numbers = ["91", "85", "74", "56"].flatMap((text, index) => line(text, 82, 260 + index * 25));
  const figure = blocksIn(firstPage({ words: numbers, drawings: [CHART] })).find(({ kind }) => kind === "figure");
  expect(figure).toMatchObject(CHART);
});

test("takes a box for that of its paragraphs, unless it frames the page", () => {
  const words = lines(prose(6, 400), 60, 120);
  const boxed = (bottom: number) =>
    firstPage({
      words,
      rules: [across(90, 40, 560), across(bottom, 40, 560), down(40, 90, bottom), down(560, 90, bottom)],
    });
  expect(paragraphsIn(boxed(200))[0]?.borders?.top).toBeDefined();
  expect(paragraphsIn(boxed(760))[0]?.borders).toBeUndefined();
});

test("reads pages without anything, and pages that are missing", () => {
  expect(layout({}, {})).toMatchObject({ empty: true, pages: [{ sections: [] }, { sections: [] }] });
});

test("keeps all words of a page of 5,000 in one column, and of a grid of 50 × 50 cells", () => {
  const words = Array.from({ length: 5_000 }, (_, index) =>
    line(`word${index}`, 50 + (index % 4) * 60, 20 + Math.floor(index / 4) * 12),
  ).flat();
  const found = firstPage({ words, height: 20_000 });
  const texts = [
    ...paragraphsIn(found).map(textOf),
    ...tablesIn(found).flatMap(({ cells }) =>
      cells.flatMap(({ blocks }) => blocks.map((block) => (block.kind === "paragraph" ? textOf(block) : ""))),
    ),
  ];
  expect(texts.join(" ").split(/\s+/u)).toHaveLength(5_000);
  const rules = Array.from({ length: 51 }, (_, index) => [
    across(index * 20, 0, 1000),
    down(index * 20, 0, 1000),
  ]).flat();
  const numbers = Array.from({ length: 2_500 }, (_, index) =>
    line("7", (index % 50) * 20 + 5, Math.floor(index / 50) * 20 + 14),
  ).flat();
  const [table] = tablesIn(firstPage({ ...page({}), words: numbers, rules, width: 2000, height: 2000 }));
  expect(table?.cells).toHaveLength(2_500);
});

test("makes white text black where the background of the page is lost, and leaves it on a fill or a picture", () => {
  const dark = { left: 40, top: 190, right: 300, bottom: 215 };
  const found = firstPage({
    words: [
      ...line("Lost title", 50, 100, { color: "ffffff" }),
      ...line("Kept title", 50, 205, { color: "ffffff" }),
      ...lines(prose(5, 400), 50, 300),
    ],
    fills: [{ ...dark, color: "123456" }],
  });
  const colors = paragraphsIn(found).map(({ runs }) => [runs.map(({ text }) => text).join(""), runs[0]?.color]);
  expect(colors.slice(0, 2)).toEqual([
    ["Lost title", "000000"],
    ["Kept title", "ffffff"],
  ]);
});

test("keeps the color under white text in footers, and makes it black without one", () => {
  const band = { left: 40, top: 738, right: 500, bottom: 762, color: "123456" };
  const paper = (index: number) => ({
    words: [...lines(prose(5, 400 + index), 50, 100), ...line("Annual report", 50, 754, { color: "ffffff" })],
    fills: index === 2 ? [] : [band],
  });
  const found = layout(paper(0), paper(1), paper(2)).pages;
  expect(found.map(({ footer: [block] }) => block)).toMatchObject([
    { fill: "123456", runs: [{ color: "ffffff" }] },
    { fill: "123456", runs: [{ color: "ffffff" }] },
    { runs: [{ color: "000000" }] },
  ]);
});

test("highlights white words in a line of other colors with the color under them", () => {
  const runs = [run("Button", { color: "ffffff" }), run(" and more text")];
  const content = page({ fills: [{ left: 0, top: 60, right: 540, bottom: 90, color: "a01020" }] });
  const found = withPaleText(madePage([paragraph(runs, 70)]), content);
  expect(found.sections[0]?.columns[0]?.blocks[0]).toMatchObject({
    runs: [{ color: "ffffff", highlight: "a01020" }, { color: "000000" }],
    lines: [{ runs: [{ highlight: "a01020" }, {}] }],
  });
});

test("keeps the header of a table that is repeated at the top of each page in the table", () => {
  const grid = [...[40, 55, 100, 130].map((y) => across(y, 50, 350)), ...[50, 200, 350].map((x) => down(x, 40, 130))];
  const table = (name: string) => ({
    words: [...line("Annual report", 50, 30), ...line("Name", 60, 51), ...line("Date", 210, 51), ...line(name, 60, 90)],
    rules: grid,
  });
  const found = layout(table("Ana"), table("Ben")).pages;
  expect(found.map(({ header }) => header.length)).toEqual([1, 1]);
  expect(found.map((one) => tablesIn(one).map(({ cells }) => cells.length))).toEqual([[6], [6]]);
});
