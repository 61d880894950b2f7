import { expect, test } from "vitest";
import { pageContent } from "../../support/documents/page-content.ts";
import { painted } from "../../support/documents/painted.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** Boxes with text that arrows or lines connect. The page is 300 points high; y is upward in a content stream. */

const scratch = scratchFolder();

const drawings = async (content: string): Promise<number[][]> =>
  (await pageContent(await painted(scratch, content))).drawings.map(({ left, top, right, bottom }) =>
    [left, top, right, bottom].map(Math.round),
  );

const box = (x: number, y: number, text: string) =>
  `${x} ${y} 60 20 re S BT /F1 8 Tf ${x + 5} ${y + 7} Td (${text}) Tj ET`;
const arrow = (x: number, y: number) =>
  `${x} ${y} m ${x + 24} ${y} l S ${x + 24} ${y - 3} m ${x + 30} ${y} l ${x + 24} ${y + 3} l h f`;
const THREE = [box(10, 200, "Taxes"), box(100, 200, "Budget"), box(190, 200, "Schools")].join(" ");

test("boxes that arrows connect are one drawing", async () => {
  expect(await drawings(`${THREE} ${arrow(70, 210)} ${arrow(160, 210)}`)).toEqual([[10, 80, 250, 100]]);
});

test("boxes that only lines connect are one drawing if there are four", async () => {
  const lines = "70 210 m 100 210 l S 160 210 m 190 210 l S";
  const fourth = `${box(100, 140, "Pupils")} 130 160 m 130 200 l S`;
  expect(await drawings(`${THREE} ${lines} ${fourth}`)).toEqual([[10, 80, 250, 160]]);
  expect(await drawings(`${THREE} ${lines}`)).toEqual([]);
});

test("boxes without arrows, next to each other, and empty ones are none", async () => {
  expect(await drawings(THREE)).toEqual([]);
  const row = [10, 70, 130, 190].map((x) => box(x, 200, "Cell")).join(" ");
  expect(await drawings(`${row} 10 190 m 250 190 l S 40 190 m 40 200 l S 100 190 m 100 200 l S`)).toEqual([]);
  const empty = [10, 100, 190].map((x) => `${x} 200 60 20 re S`).join(" ");
  expect(await drawings(`${empty} ${arrow(70, 210)} ${arrow(160, 210)}`)).toEqual([]);
});

test("boxes in a text that covers more than a tenth of their area are none", async () => {
  const prose = Array.from(
    { length: 6 },
    (_, index) => `BT /F1 8 Tf 10 ${190 - 10 * index} Td (${"Words of a text, ".repeat(4)}) Tj ET`,
  ).join(" ");
  const below = `${box(10, 100, "Taxes")} 40 120 m 40 200 l S`;
  expect(await drawings(`${THREE} ${prose} ${below} 70 210 m 100 210 l S 160 210 m 190 210 l S`)).toEqual([]);
});
