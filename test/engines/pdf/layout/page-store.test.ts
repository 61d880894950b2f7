import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageCollector } from "../../../../functions/engines/pdf/pdfium/layout/layout.ts";
import { pageStore } from "../../../../functions/engines/pdf/pdfium/layout/page-store.ts";
import { blocksIn, line, lines, page } from "../../support/documents/layout-content.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** Pages of long documents, which are stored in files. */

const scratch = scratchFolder();

test("returns the values of a long document in their order, each time", () => {
  const store = pageStore<{ number: number; color?: string | undefined }>(scratch.folder, "pages");
  const values = Array.from({ length: 40 }, (_, number) => ({ number, color: undefined }));
  for (const value of values) {
    store.add(value);
  }
  expect(store).toHaveLength(40);
  expect([...store]).toStrictEqual(values);
  const [first, second] = store;
  expect([first, second]).toStrictEqual(values.slice(0, 2));
  expect([...store]).toStrictEqual(values);
  store.clear();
  expect([...store]).toEqual([]);
  expect(existsSync(join(scratch.folder, "pages"))).toBe(false);
});

test("finds running lines and joins paragraphs on the pages of a long document", () => {
  const collector = pageCollector(scratch.folder);
  for (let number = 1; number <= 40; number += 1) {
    const words = [
      ...line("Harbor report", 50, 40),
      ...lines(["The ships wait for the tide, and the crews", "of the harbor wait for the ships"], 50, 200),
      ...line(String(number), 300, 780),
    ];
    collector.add(page({ number, words }));
  }
  const { pages, empty } = collector.layout([41]);
  const found = [...pages];
  expect(empty).toBe(false);
  expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  for (const [index, { header, footer, sections }] of found.entries()) {
    expect(header).toMatchObject([{ runs: [{ text: "Harbor report" }] }]);
    expect(footer).toMatchObject([{ runs: [{ text: String(index + 1), field: "page" }] }]);
    expect(sections).toHaveLength(1);
  }
  expect(found.map((one) => blocksIn(one).map((block) => block.kind))).toEqual(found.map(() => ["paragraph"]));
  expect(readdirSync(scratch.folder)).toEqual(["layouts"]);
});
