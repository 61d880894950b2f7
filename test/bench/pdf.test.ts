import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { wordOf } from "../../bench/pdf/print/word.ts";
import { readDocx } from "../../bench/pdf/read/docx.ts";
import { samples } from "../../bench/pdf/samples/all.ts";
import type { Sample } from "../../bench/pdf/samples/sample.ts";
import { relations, scoreOf } from "../../bench/pdf/score.ts";
import { truthOf } from "../../bench/pdf/truth/samples.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const named = (name: string): Sample => {
  const sample = samples.find((one) => one.name === name);
  if (sample === undefined) {
    throw new Error(`There is no sample ${name}.`);
  }
  return sample;
};

const folder = temporaryFolder();
afterAll(() => folder.remove());

const written = async (sample: Sample) => {
  const path = join(folder.path, `${sample.name}.docx`);
  await writeFile(path, await wordOf(sample));
  return readDocx(path);
};

describe("the score of PDF conversions", () => {
  test.each(["ruled-spans", "footnotes", "styled", "arabic", "thai", "lists", "boxed"])(
    "is perfect for the source of %s",
    async (name) => {
      const score = scoreOf(truthOf(named(name)), await written(named(name)));
      expect(score).toMatchObject({ order: 1, falseTables: 0 });
      expect(score.cells ?? 1).toBe(1);
      expect(score.style?.mean).toBe(1);
    },
  );

  test("falls when paragraphs change places, cells are lost and styles differ", async () => {
    const found = await written(named("ruled-spans"));
    const worse = {
      lines: found.lines.toReversed(),
      grids: found.grids.map((cells) => cells.slice(3)),
      words: found.words.map((word) => ({ ...word, bold: !word.bold })),
    };
    const score = scoreOf(truthOf(named("ruled-spans")), worse);
    expect(score.order).toBeLessThan(0.9);
    expect(score.cells).toBeLessThan(0.9);
    expect(score.style).toMatchObject({ bold: 0, italic: 1 });
  });

  test("compares each page with the order that is most similar to the result", () => {
    const [first, second] = [
      ["one two three four", "five six"],
      ["left a left b", "right c right d", "a number 7"],
    ];
    const other = ["left a right c", "left b right d", "a number 7"];
    const orders = [
      [first.toReversed(), second],
      [first, other],
    ];
    const found = { lines: [...first, ...second], grids: [], words: [] };
    expect(scoreOf({ orders, words: [] }, found).order).toBe(1);
    expect(scoreOf({ orders: [[first, other]], words: [] }, found).order).toBeLessThan(0.9);
  });

  test("counts what one of the orders of a page has, but no order that none of them has", () => {
    const text = ["alpha beta gamma delta", "north east south west"];
    const byRows = [...text, "a b c", "one two three"];
    const byColumns = [...text.toReversed(), "a one b", "two c three"];
    const score = (lines: readonly string[]) =>
      scoreOf({ orders: [[byRows], [byColumns]], words: [] }, { lines, grids: [], words: [] }).order ?? 0;
    expect(score([...text, "a one b", "two c three"])).toBeGreaterThan(score([...text, "a two b", "one c three"]));
    expect(score(text.toReversed())).toBeLessThan(0.8);
  });

  test("leaves out labels that are the alternative text of a picture, but not its sentences", () => {
    const lines = ["alpha beta gamma delta", "0 50 100 150", "Days after download"];
    const sentence = "The committee reviewed the annual figures in the northern district.";
    const labels = ["0 50 100 150\nDays after download", sentence];
    const score = (truth: readonly string[]) =>
      scoreOf({ orders: [[truth]], words: [] }, { lines: lines.slice(0, 1), grids: [], words: [], labels }).order;
    expect(score(lines)).toBe(1);
    expect(score([...lines, sentence])).toBeLessThan(1);
  });

  test("counts tables that the document does not have", async () => {
    const cell = { rows: 1, columns: 1 };
    const grid = [
      { ...cell, row: 0, column: 0, text: "Dear" },
      { ...cell, row: 0, column: 1, text: "Ms. Castillo" },
    ];
    const found = { ...(await written(named("letter"))), grids: [grid] };
    expect(scoreOf(truthOf(named("letter")), found).falseTables).toBe(1);
  });

  test("takes the next cell with text as the neighbor, also past merged and empty cells", () => {
    const cell = { rows: 1, columns: 1 };
    const cells = [
      { row: 0, column: 0, rows: 2, columns: 1, text: "A" },
      { ...cell, row: 0, column: 1, text: "" },
      { ...cell, row: 0, column: 2, text: "B" },
      { row: 1, column: 1, rows: 1, columns: 2, text: "C" },
    ];
    expect(relations(cells).toSorted()).toEqual(["a right b", "a right c", "b below c"]);
  });
});
