import { readFileSync } from "node:fs";
import { PDFArray, PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import { codeOf } from "../../support/convert.ts";
import { checkByQpdf, poppler } from "../../support/documents/pdf.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

/** Books that are too large to lay out at once: their chapters are printed in groups, which are joined. */

const scratch = scratchFolder();
const convert = convertingBy("chromium", scratch);

const CHAPTERS = 4;
const PARAGRAPHS = 60;
/** Elements without content, which count and are printed fast. */
const ELEMENTS = "<wbr>".repeat(9_000);

/** Each chapter links to the end of the next one, of the first also with a letter beyond ASCII. */
const chapter = (number: number): string => {
  const next = (number % CHAPTERS) + 1;
  const links = `<p><a href="#c${next}-énd">next</a> <a href="#c${number}-énd">own</a> <a href="https://example.org/">web</a> <a href="#none">none</a></p>`;
  const words = `${"<p>a</p>".repeat(PARAGRAPHS)}<p>${ELEMENTS}</p>`;
  return `<section class="chapter" id="c${number}"><h1>Chapter ${number}</h1>${links}${words}<h2 id="c${number}-énd">End ${number}</h2></section>`;
};

const book = scratch.file(
  `<!doctype html><html lang="fr"><title>A Book</title><body>${Array.from({ length: CHAPTERS }, (_, index) => chapter(index + 1)).join("\n")}`,
);

const printed = async (options: Options = {}) => {
  const { path, codes } = await convert(book, ["html", "pdf"], options);
  checkByQpdf(path);
  const document = await PDFDocument.load(readFileSync(path));
  return { path, codes, document };
};

const text = (path: string, page: number): string =>
  poppler("pdftotext", "-f", `${page}`, "-l", `${page}`, path, "-") ?? "";

/** @returns where the links of a page lead: to a page number from 1, or to a URL */
const targetsOf = (document: PDFDocument, page: number): (number | string)[] => {
  const dests = document.catalog.lookup(PDFName.of("Dests"), PDFDict);
  const refs = document.getPages().map(({ ref }) => ref.toString());
  const annotations =
    document
      .getPage(page - 1)
      .node.Annots()
      ?.asArray() ?? [];
  return annotations.map((each) => {
    const link = document.context.lookup(each, PDFDict);
    const name = link.lookup(PDFName.of("Dest"));
    if (name instanceof PDFName) {
      return refs.indexOf(String(dests.lookup(name, PDFArray).get(0))) + 1;
    }
    return String(link.lookup(PDFName.of("A"), PDFDict).lookup(PDFName.of("URI")));
  });
};

const titlesOf = (document: PDFDocument): string[] => {
  const titles: string[] = [];
  const visit = (parent: PDFDict): void => {
    let item = parent.lookup(PDFName.of("First"));
    while (item instanceof PDFDict) {
      titles.push(
        Buffer.from(String(item.lookup(PDFName.of("Title"))).slice(5, -1), "hex")
          .swap16()
          .toString("utf16le"),
      );
      visit(item);
      item = item.lookup(PDFName.of("Next"));
    }
  };
  visit(document.catalog.lookup(PDFName.of("Outlines"), PDFDict));
  return titles;
};

describe.skipIf(!isInstalled("chromium"))("a large book", () => {
  test("has all pages in order, with bookmarks, title and language", async () => {
    const { path, codes, document } = await printed();
    expect(codes).toEqual([]);
    expect(document.getTitle()).toBe("A Book");
    expect(String(document.catalog.get(PDFName.of("Lang")))).toBe("(fr)");
    expect(titlesOf(document)).toEqual([1, 2, 3, 4].flatMap((number) => [`Chapter ${number}`, `End ${number}`]));
    const all = poppler("pdftotext", path, "-") ?? "";
    expect(all.match(/(?:Chapter|End) \d/g)).toEqual(
      [1, 2, 3, 4].flatMap((number) => [`Chapter ${number}`, `End ${number}`]),
    );
    expect(all.match(/\ba\b/g)).toHaveLength(CHAPTERS * PARAGRAPHS);
  });

  test("has links within chapters, between them, and to the web", async () => {
    const { path, document } = await printed();
    const pages = document.getPageCount();
    const pageOf = (words: string) =>
      Array.from({ length: pages }, (_, index) => index + 1).find((page) => text(path, page).includes(words)) ?? 0;
    for (const [number, next] of [
      [1, 2],
      [4, 1],
    ]) {
      const targets = targetsOf(document, pageOf(`Chapter ${number}`));
      expect(targets).toEqual([pageOf(`End ${next}`), pageOf(`End ${number}`), "(https://example.org/)"]);
    }
  });

  test("has the requested pages and page numbers of the book, not of a group", async () => {
    const { path: whole, document: all } = await printed({ page_numbers: true });
    const count = all.getPageCount();
    expect(text(whole, count)).toContain(`${count} / ${count}`);
    const { path, document } = await printed({ page_numbers: true, pages: `1,${count}` });
    expect(document.getPageCount()).toBe(2);
    expect(text(path, 1)).toContain(`1 / ${count}`);
    expect(text(path, 2)).toContain(`${count} / ${count}`);
    expect(text(path, 2)).toContain("End 4");
    expect(await codeOf(convert(book, ["html", "pdf"], { pages: "5000-" }))).toBe("unsupported_feature");
  });
});
