import { PDFName } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { Rule } from "../../../../functions/engines/pdf/pdfium/content/content.ts";
import { pageContent, textOfWords } from "../../support/documents/page-content.ts";
import { painted } from "../../support/documents/painted.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

/** Lines, areas and drawings of a page, from its paths. The page is 300 points high; y is upward in a content stream. */

const scratch = scratchFolder();

const draw = async (content: string) => pageContent(await painted(scratch, content));
const places = (rules: readonly Rule[]) =>
  rules
    .map(({ across, at, from, to }) => [across ? "across" : "down", ...[at, from, to].map(Math.round)].join(" "))
    .sort();

test("reads strokes and thin areas as rules with their width and color", async () => {
  const { rules, fills } = await draw(
    "1 0 0 RG 2 w 20 200 m 120 200 l S 0 0 1 rg 20 100 1.5 80 re f q 2 0 0 2 0 0 cm 1 w 10 20 m 60 20 l S Q",
  );
  expect(places(rules)).toEqual(["across 100 20 120", "across 260 20 120", "down 21 120 200"]);
  expect(rules.map(({ width, color }) => `${width} ${color}`).sort()).toEqual(["1.5 0000ff", "2 ff0000", "2 ff0000"]);
  expect(fills).toEqual([]);
});

test("reads the outline of a box as four rules, drawn as a line or as an area with a hole", async () => {
  const sides = ["across 100 50 150", "across 200 50 150", "down 150 100 200", "down 50 100 200"];
  expect(places((await draw("50 100 100 100 re S")).rules)).toEqual(sides);
  expect(places((await draw("49.6 99.6 100.8 100.8 re 50.4 100.4 99.2 99.2 re f*")).rules)).toEqual(sides);
});

test("reads the halves of a frame with depth as lines, not as an area", async () => {
  const half = "50 200 m 150 200 l 149.6 199.6 l 50.4 199.6 l 50.4 160.4 l 50 160 l h f";
  const { rules, fills } = await draw(`0 0 0 rg ${half}`);
  expect(fills).toEqual([]);
  expect(places(rules)).toEqual(["across 100 50 150", "down 50 100 140"]);
  expect(rules.every(({ width }) => width > 0.3 && width < 0.5)).toBe(true);
});

test("reads a gradient as a drawing in its visible area, unless text is on it", async () => {
  const gradient =
    "q 50 100 100 80 re W n /G1 sh Q q 200 20 80 40 re W n /G1 sh Q BT /F1 10 Tf 210 30 Td (Press) Tj ET";
  const path = await painted(scratch, gradient, ({ document: { context }, page }) => {
    const colors = { FunctionType: 2, Domain: [0, 1], C0: [1, 0, 0], C1: [0, 0, 1], N: 1 };
    const shading = { ShadingType: 2, ColorSpace: "DeviceRGB", Coords: [0, 0, 300, 300], Function: colors };
    page.node.Resources()?.set(PDFName.of("Shading"), context.obj({ G1: shading }));
  });
  const { drawings, words } = await pageContent(path);
  expect(drawings.map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round))).toEqual([
    [50, 120, 150, 200],
  ]);
  expect(textOfWords(words)).toBe("Press");
});

test("reads a box with round corners as a box", async () => {
  const round =
    "60 100 m 140 100 l 145 100 150 105 150 110 c 150 190 l 150 195 145 200 140 200 c 60 200 l 55 200 50 195 50 190 c 50 110 l 50 105 55 100 60 100 c h";
  const { rules, fills, drawings } = await draw(`0.8 g ${round} B`);
  expect(rules).toHaveLength(4);
  expect(fills).toMatchObject([{ left: 50, top: 100, right: 150, bottom: 200, color: "cccccc" }]);
  expect(drawings).toEqual([]);
});

test("joins dashes to a rule, and leaves out repetitions", async () => {
  const dashes = Array.from({ length: 30 }, (_, index) => `${20 + 5 * index} 200 3 1 re`).join(" ");
  const { rules } = await draw(`${dashes} f 20 100 m 120 100 l S 60 100 m 160 100 l S`);
  expect(places(rules)).toEqual(["across 100 20 168", "across 200 20 160"]);
});

test("keeps lines apart that are nearly on one line", async () => {
  const { rules } = await draw(
    "100.2 20 m 100.2 60 l 100 200 m 100 260 l 100.4 200 m 100.4 210 l 99.9 100 m 99.9 160 l S",
  );
  expect(rules.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(["140 200", "240 280", "40 100"]);
});

test("reads fills in the order in which they are drawn, without the paper", async () => {
  const { fills } = await draw(
    "0.9 1 0.9 rg 0 0 300 300 re f 1 g 10 10 80 80 re f 0 1 0 rg 20 100 200 100 re f 1 g 30 120 50 50 re f 1 0 0 rg 40 130 20 20 re f",
  );
  expect(fills.map(({ color }) => color)).toEqual(["00ff00", "ffffff", "ff0000"]);
});

test("leaves out what is clipped away or transparent, and cuts what is clipped in part", async () => {
  const { rules, fills } = await draw(
    "q 0 0 100 100 re W n 150 150 50 50 re f 20 50 m 200 50 l S 0 0 1 rg 80 80 100 100 re f Q",
  );
  expect(places(rules)).toEqual(["across 250 20 100"]);
  expect(fills).toMatchObject([{ left: 80, top: 200, right: 100, bottom: 220 }]);
});

test("reads dots at the left of a line as marks of a list", async () => {
  const dot =
    "23 203 m 23 204.7 21.7 206 20 206 c 18.3 206 17 204.7 17 203 c 17 201.3 18.3 200 20 200 c 21.7 200 23 201.3 23 203 c";
  const { words, drawings } = await draw(
    `${dot} f q 1 0 0 1 0 -20 cm ${dot} S Q 17 160 5 5 re f 250 203 5 5 re f BT /F1 12 Tf 30 200 Td (Round) Tj 0 -20 Td (Hollow) Tj 0 -20 Td (Square) Tj ET`,
  );
  expect(textOfWords(words)).toBe("• Round ◦ Hollow ▪ Square");
  expect(words.map(({ baseline }) => baseline)).toEqual([100, 100, 120, 120, 140, 140]);
  expect(drawings).toEqual([]);
});

describe("a drawing", () => {
  const curve = "60 110 m 100 200 120 100 180 180 c S";

  test("includes its axes and bars, and its labels stay words", async () => {
    const { drawings, rules, words } = await draw(
      `${curve} 55 100 m 55 200 l S 55 100 m 190 100 l S 70 100 10 40 re f 20 280 m 280 280 l S BT /F1 8 Tf 90 120 Td (label) Tj ET`,
    );
    expect(drawings).toHaveLength(1);
    expect(drawings[0]).toMatchObject({ left: 55, right: 190, bottom: 200 });
    expect(places(rules)).toEqual(["across 20 20 280"]);
    expect(textOfWords(words)).toBe("label");
  });

  test("includes the frame around it", async () => {
    const { drawings, rules } = await draw(`${curve} 40 80 160 140 re S`);
    expect(drawings).toMatchObject([{ left: 40, top: 80, right: 200, bottom: 220 }]);
    expect(rules).toEqual([]);
  });

  test("includes the frame of single lines around it, unless a line divides or leaves it", async () => {
    const frame = "40 80 m 200 80 l S 40 220 m 200 220 l S 40 80 m 40 220 l S 200 80 m 200 220 l S";
    const { drawings, rules } = await draw(`${curve} ${frame}`);
    expect(drawings).toMatchObject([{ left: 40, top: 80, right: 200, bottom: 220 }]);
    expect(rules).toEqual([]);
    expect((await draw(`${curve} ${frame} 40 215 m 200 215 l S`)).rules).toHaveLength(5);
    // A line that leaves the frame is that of a table with the drawing in a cell.
    expect((await draw(`${curve} ${frame} 20 220 m 60 220 l S`)).rules).toHaveLength(4);
  });

  test("is a diagram of arrows between boxes in a frame with few words, but not with text", async () => {
    const arrow = "100 220 m 130 235 l S";
    const arrows = [0, 40, 80].map((lower) => `q 1 0 0 1 0 -${lower} cm ${arrow} Q`).join(" ");
    const diagram = `20 100 250 160 re S 30 200 60 40 re S 140 120 110 120 re S ${arrows}`;
    const label = "BT /F1 10 Tf 40 220 Td (From) Tj 150 0 Td (To) Tj ET";
    const frame = { left: 20, top: 40, right: 270, bottom: 200 };
    expect((await draw(`${diagram} ${label}`)).drawings).toMatchObject([frame]);
    const text = Array.from({ length: 6 }, () => "(words that fill the whole of a line) Tj 0 -12 Td").join(" ");
    expect((await draw(`${diagram} BT /F1 10 Tf 40 220 Td ${text} ET`)).drawings).not.toMatchObject([frame]);
  });

  test("is a chart of bars with its axis, but not cells or fields", async () => {
    const bars = [40, 70, 55, 20].map((length, index) => `${60 + 30 * index} 100 20 ${length} re`).join(" ");
    const chart = await draw(`${bars} f 50 100 m 190 100 l S`);
    expect(chart.drawings).toMatchObject([{ left: 50, right: 190, bottom: 200 }]);
    expect([chart.rules, chart.fills]).toEqual([[], []]);
    const level = [40, 70, 55, 20].map((length, index) => `60 ${100 + 30 * index} ${length} 20 re`).join(" ");
    expect((await draw(`${level} f`)).drawings).toHaveLength(1);
    const grouped = [40, 70, 55, 20, 90, 30].map(
      (length, index) => `60 ${80 + 12 * index + 8 * Math.floor(index / 3)} ${length} 12 re`,
    );
    expect((await draw(`${grouped.join(" ")} f`)).drawings).toHaveLength(1);
    const withoutOne = Array.from({ length: 9 }, (_, index) => [index, 20 + 9 * index] as const).flatMap(
      ([index, length]) => (index === 1 ? [] : `60 ${60 + 12 * index + 8 * Math.floor(index / 3)} ${length} 12 re`),
    );
    expect((await draw(`${withoutOne.join(" ")} f`)).drawings).toHaveLength(1);
    const cells = [0, 1, 2, 3]
      .map((index) => `${60 + 30 * index} 100 20 40 re 60 ${200 + 20 * index} 90 12 re`)
      .join(" ");
    expect((await draw(`0.9 g ${cells} f`)).drawings).toEqual([]);
  });

  test("is not a shape under text", async () => {
    const cloud = "50 100 m 50 180 200 180 200 100 c 200 60 50 60 50 100 c f";
    const lines = Array.from({ length: 7 }, (_, line) => `(words that are set on it) Tj 0 -${10 + 0 * line} Td`).join(
      " ",
    );
    const { drawings } = await draw(`0.9 g ${cloud} 0 g BT /F1 10 Tf 65 140 Td ${lines} ET`);
    expect(drawings).toEqual([]);
  });

  test("is one of several, if they are apart", async () => {
    const { drawings } = await draw(`${curve} q 0.3 0 0 0.3 0 0 cm ${curve} Q`);
    expect(drawings).toHaveLength(2);
  });
});

test.skipIf(!isInstalled("chromium"))("reads the rules, fills and marks of a page by Chromium", async () => {
  const print = convertingBy("chromium", scratch);
  const { path } = await print(
    scratch.file(
      "<!doctype html><meta charset=utf-8><ul><li>One<li>Two</ul><table style='border-collapse:collapse'>" +
        "<tr style='background:#dde'><td style='border:1px solid #123456'>A<td style='border:1px solid #123456'>B</table>",
    ),
    ["html", "pdf"],
  );
  const { words, rules, fills, drawings } = await pageContent(path);
  expect(textOfWords(words)).toBe("• One • Two A B");
  expect(fills.some(({ color }) => color === "ddddee")).toBe(true);
  expect(new Set(rules.map(({ color }) => color))).toEqual(new Set(["123456"]));
  expect(new Set(rules.filter(({ across }) => !across).map(({ at }) => Math.round(at))).size).toBe(3);
  expect(drawings).toEqual([]);
});
