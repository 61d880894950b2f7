import { describe, expect, test } from "vitest";
import { pageContent, textOfWords } from "../../support/documents/page-content.ts";
import { painted } from "../../support/documents/painted.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** Boxes to tick that a page draws as lines. The page is 300 points high; y is upward in a content stream. */

const scratch = scratchFolder();

const BOX = "20 200 9 9 re S";
const LABEL = "BT /F1 10 Tf 34 201 Td (Yes) Tj ET";

const read = async (content: string) => {
  const { words, rules, drawings } = await pageContent(await painted(scratch, content));
  const sorted = words.toSorted((one, other) => one.left - other.left);
  return { text: textOfWords(sorted), rules: rules.length, drawings: drawings.length };
};

describe("a square next to text", () => {
  test.each([
    ["empty", "", "☐"],
    ["with a cross of lines", "20 200 m 29 209 l S 20 209 m 29 200 l S", "☒"],
    ["with a tick", "22 204 m 24 202 l 28 208 l S", "☒"],
    ["with a letter as a cross", "BT /F1 9 Tf 21.5 201.5 Td (X) Tj ET", "☒"],
    ["with a white background", "1 g 20 200 9 9 re f 0 g", "☐"],
  ])("%s is a box to tick", async (_, inside, sign) => {
    expect(await read(`${inside.startsWith("1 g") ? inside : ""} ${BOX} ${LABEL} ${inside}`)).toEqual({
      text: `${sign} Yes`,
      rules: 0,
      drawings: 0,
    });
  });

  test("of a row of three that touch, each as small as a dot, is none", async () => {
    const row = "20 200 8 8 re S 28 200 8 8 re S 36 200 8 8 re S";
    expect((await read(`${row} ${LABEL.replace("34", "60")}`)).text).toBe("Yes");
  });

  test("with a color, as small as a dot, is none", async () => {
    expect((await read(`1 0 0 rg 20 200 8 8 re f 0 g 20 200 8 8 re S ${LABEL}`)).text).not.toMatch(/[☐☒]/u);
  });

  test("after it is a box to tick, too", async () => {
    expect(await read(`60 200 9 9 re S ${LABEL}`)).toMatchObject({ text: "Yes ☐", rules: 0 });
  });

  test.each([
    ["with a number in it", `20 200 10 10 re S ${LABEL} BT /F1 8 Tf 22 202 Td (7) Tj ET`, "7 Yes"],
    ["with a color, as in a legend", `1 0 0 rg 20 200 10 10 re B 0 g ${LABEL}`, "Yes"],
    ["of a grid", `20 200 10 10 re S 30 200 10 10 re S 40 200 10 10 re S ${LABEL.replace("34", "60")}`, "Yes"],
    ["larger than text", `20 190 30 30 re S ${LABEL.replace("34", "60")}`, "Yes"],
    ["twice as wide as high", `20 200 16 8 re S ${LABEL.replace("34", "40")}`, "Yes"],
  ])("%s is none", async (_, content, text) => {
    const found = await read(content);
    expect(found.text).toBe(text);
    expect(found.rules).toBeGreaterThanOrEqual(4);
  });
});

test("squares below each other, a point apart, are one box each", async () => {
  const labels = "BT /F1 9 Tf 36 202 Td (One) Tj 0 -12 Td (Two) Tj 0 -12 Td (Three) Tj ET";
  const boxes = ["20 200", "20 188", "20 176"].map((place) => `${place} 11 11 re S`).join(" ");
  const { words, rules } = await pageContent(await painted(scratch, `${boxes} 20 188 m 31 199 l S ${labels}`));
  expect(rules).toEqual([]);
  const signs = words.filter(({ text }) => /[☐☒]/u.test(text)).toSorted((one, other) => one.top - other.top);
  expect(signs.map(({ text }) => text)).toEqual(["☐", "☒", "☐"]);
});

test("a square without text next to it stays four lines", async () => {
  expect(await read(`20 200 10 10 re S BT /F1 10 Tf 34 100 Td (Far below) Tj ET`)).toMatchObject({
    text: "Far below",
    rules: 4,
  });
});
