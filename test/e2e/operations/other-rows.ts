import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect } from "vitest";
import { pageCount, paperText } from "./programs.ts";
import type { Row } from "./table.ts";

/** Merges of files of several formats, and web pages. */
export const otherRows: readonly Row[] = [
  {
    name: "merge a document, an image and a PDF in their order",
    from: ["sample.docx", "areas.png", "pages.pdf"],
    to: "pdf",
    check: (path) => {
      expect(pageCount(path)).toBeGreaterThanOrEqual(5);
      expect(paperText(path)).toMatch(/\S[\s\S]*Page one[\s\S]*Page three\s*$/);
    },
  },
  {
    name: "append tables",
    from: ["one.csv", "two.csv"],
    to: "csv",
    check: (path) => expect(readFileSync(path, "utf8").trim().split(/\r?\n/)).toEqual(["name,size", "a,1", "b,2"]),
  },
  {
    name: "print a page with its files",
    from: "site.zip",
    to: "pdf",
    options: { page_size: "a5", page_orientation: "landscape", page_margin: 10 },
    check: (path) => expect([pageCount(path), paperText(path)]).toEqual([1, expect.stringContaining("Site")]),
  },
  {
    name: "draw a page",
    from: "page.html",
    to: "png",
    options: { width: 500, height: 300 },
    check: async (path) => expect(await sharp(path).metadata()).toMatchObject({ width: 500, height: 300 }),
  },
];
