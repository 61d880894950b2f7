import { PDFName } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { pageContent } from "../../support/documents/page-content.ts";
import { painted } from "../../support/documents/painted.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** Hostile pages: very many objects, points and levels are read in part, and end. */

const scratch = scratchFolder();

test("reads a page of very many letters at one place", async () => {
  const line = `(${"x".repeat(100)}) Tj `;
  const { words } = await pageContent(await painted(scratch, `BT /F1 4 Tf 20 200 Td ${line.repeat(3_000)} ET`));
  expect(words.length).toBeGreaterThan(0);
});

test("reads a page of very many letters from right to left", async () => {
  const objects = Array.from({ length: 20_000 }, () => "/Span <</ActualText <FEFF05D0>>> BDC (x) Tj EMC").join(" ");
  const { words, rtl } = await pageContent(await painted(scratch, `BT /F1 4 Tf 20 200 Td 0.001 Tz ${objects} ET`));
  expect(words.map(({ text }) => text).join("")).toMatch(/^א+$/);
  expect(rtl).toBe(true);
});

test("refuses more than 10,000 text objects in one line, and reads as many in several lines", async () => {
  const objects = (place: (index: number) => string) =>
    Array.from({ length: 10_001 }, (_, index) => `BT /F1 2 Tf ${place(index)} Td (x) Tj ET`).join(" ");
  const crowded = await painted(
    scratch,
    objects((index) => `${20 + (index % 250)} 200`),
  );
  await expect(pageContent(crowded)).rejects.toThrow("Page 1 has more than 10000 text objects in one line.");
  const spread = await painted(
    scratch,
    objects((index) => `${20 + (index % 250)} ${20 + 4 * Math.floor(index / 250)}`),
  );
  expect((await pageContent(spread)).words.map(({ text }) => text).join("")).toHaveLength(10_001);
});

test("reads very many long texts of marks in bounded memory", async () => {
  const objects = `/Span <</ActualText (${"ab ".repeat(500)})>> BDC (x) Tj EMC `.repeat(20_000);
  const { words } = await pageContent(await painted(scratch, `BT /F1 4 Tf 20 200 Td ${objects} ET`));
  expect(words.length).toBeGreaterThan(0);
  expect(words.length).toBeLessThan(600_000);
});

test("reads at most 5,000 rules and fills, and 500 drawings", async () => {
  const at = (index: number) => `${(index % 60) * 5} ${Math.floor(index / 60) * 5}`;
  const many = (draw: (place: string) => string, count = 12_000) =>
    Array.from({ length: count }, (_, index) => draw(at(index % 3_600))).join(" ");
  const { rules, fills, drawings } = await pageContent(
    await painted(
      scratch,
      `${many((place) => `${place} 4.5 0.1 re f`)} ${many((place) => `${place} 4 4 re f`)} ${many((place) => `${place} m 1 2 3 4 5 6 c S`)}`,
    ),
  );
  expect(rules.length).toBeLessThanOrEqual(5_000);
  expect(fills.length).toBeLessThanOrEqual(5_000);
  expect(drawings.length).toBeLessThanOrEqual(500);
});

test("reads a path of very many points as one drawing", async () => {
  const points = Array.from({ length: 100_000 }, (_, index) => `${index % 300} ${(index * 7) % 300} l`).join(" ");
  const { rules, drawings } = await pageContent(await painted(scratch, `0 0 m ${points} S`));
  expect(rules).toEqual([]);
  expect(drawings).toHaveLength(1);
});

test("reads text in nested marks, and forms within forms", async () => {
  const marks = "/Span <</ActualText <FEFF0061>>> BDC ".repeat(500);
  const path = await painted(
    scratch,
    `${marks} BT /F1 10 Tf 20 200 Td (x) Tj ET ${"EMC ".repeat(500)} /X0 Do`,
    (drawing) => {
      const { context } = drawing.document;
      const fonts = drawing.page.node.Resources()?.get(PDFName.of("Font"));
      let inner = context.register(
        context.stream("BT /F1 10 Tf 100 200 Td (deep) Tj ET", {
          ...{ Type: "XObject", Subtype: "Form", BBox: [0, 0, 300, 300] },
          Resources: context.obj({ Font: fonts ?? {} }),
        }),
      );
      for (let level = 0; level < 5; level += 1) {
        inner = context.register(
          context.stream("/X0 Do", {
            ...{ Type: "XObject", Subtype: "Form", BBox: [0, 0, 300, 300] },
            Resources: context.obj({ XObject: context.obj({ X0: inner }) }),
          }),
        );
      }
      drawing.page.node.setXObject(PDFName.of("X0"), inner);
    },
  );
  const { words } = await pageContent(path);
  expect(words.map(({ text }) => text)).toEqual(["a", "deep"]);
});
