import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { readContent } from "../../../../functions/engines/pdf/pdfium/content/read-content.ts";
import {
  type PdfDocument,
  type PdfPage,
  withDocument,
  withPage,
} from "../../../../functions/engines/pdf/pdfium/page/document.ts";
import { objectsOf } from "../../../../functions/engines/pdf/pdfium/page/objects.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** PDFium keeps the objects of all pages that it has loaded, so a long document is opened again from time to time. */

const scratch = scratchFolder();
const PAGES = 70;

const longDocument = async (hasField = false): Promise<string> => {
  const document = await PDFDocument.create();
  for (let number = 1; number <= PAGES; number += 1) {
    document.addPage([200, 200]).drawText(`Page ${number}`, { x: 50, y: 100 });
  }
  if (hasField) {
    const field = document.getForm().createTextField("name");
    field.setText("Ada");
    field.addToPage(document.getPage(0), { x: 50, y: 50, width: 100, height: 20 });
  }
  const path = join(scratch.folder, "long.pdf");
  await writeFile(path, await document.save());
  return path;
};

const textOf = async (document: PdfDocument, number: number): Promise<string | undefined> =>
  (await readContent(document, number))?.words.map(({ text }) => text).join(" ");

const textsOf = async (document: PdfDocument): Promise<(string | undefined)[]> => {
  const texts: (string | undefined)[] = [];
  for (let number = 1; number <= PAGES; number += 1) {
    texts.push(await textOf(document, number));
  }
  return texts;
};

const TEXTS = Array.from({ length: PAGES }, (_, index) => `Page ${index + 1}`);

test("opens a long document again, and reads the same pages", async () => {
  await withDocument(await longDocument(), undefined, async (document) => {
    expect(await textsOf(document)).toEqual(TEXTS);
    expect(document.open.loaded).toBeLessThan(PAGES);
    expect(await textsOf(document)).toEqual(TEXTS);
  });
});

test("keeps a document open while one of its pages is in use", async () => {
  await withDocument(await longDocument(), undefined, async (document) => {
    const width = await withPage(document, 1, async (page: PdfPage) => {
      expect(await textsOf(document)).toEqual(TEXTS);
      return document.pdfium.call.FPDF_GetPageWidthF(page.handle);
    });
    expect(width).toBe(200);
    expect(document.open.loaded).toBe(PAGES + 1);
  });
});

test("flattens the annotations of a page again after the document was opened again", async () => {
  await withDocument(await longDocument(true), undefined, async (document) => {
    const countOf = () => withPage(document, 1, (page) => objectsOf(page).length);
    const before = await countOf();
    expect(await textOf(document, 1)).toBe("Page 1 Ada");
    const flattened = await countOf();
    expect(flattened).toBeGreaterThan(before ?? 0);
    await textsOf(document);
    expect(document.open.loaded).toBeLessThan(PAGES);
    expect(await countOf()).toBe(flattened);
  });
});
