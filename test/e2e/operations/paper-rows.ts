import { readFileSync, statSync } from "node:fs";
import { expect } from "vitest";
import { zipNames } from "../../support/zip.ts";
import {
  attachments,
  encryption,
  pageCount,
  paperImages,
  paperInfo,
  paperJson,
  paperMetadata,
  paperText,
} from "./programs.ts";
import type { Row } from "./table.ts";

/** Operations of PDFs. */

const ofPages = { from: "pages.pdf", to: "pdf" } as const;

export const paperRows: readonly Row[] = [
  {
    name: "compress a PDF by a preset",
    from: "scan.pdf",
    to: "pdf",
    options: { compress: "screen" },
    check: (path) => {
      expect(pageCount(path)).toBe(1);
      expect(statSync(path).size).toBeLessThan(60_000);
    },
  },
  {
    name: "compress a PDF to a size",
    from: "scan.pdf",
    to: "pdf",
    options: { target_size: 50_000 },
    check: (path) => expect(statSync(path).size).toBeLessThanOrEqual(50_000),
  },
  {
    name: "encrypt a PDF with permissions",
    ...ofPages,
    options: { user_password: "open", owner_password: "own", permissions: "print" },
    isQuick: true,
    check: (path) => {
      const shown = encryption(path, "open");
      expect(shown).toContain("AESv3");
      expect(shown).toContain("print high resolution: allowed");
      expect(shown).toContain("extract for any purpose: not allowed");
    },
  },
  {
    name: "decrypt a PDF",
    from: "locked.pdf",
    to: "pdf",
    options: { password: "open" },
    check: (path) => expect(paperInfo(path)).toMatch(/Encrypted:\s+no/),
  },
  {
    name: "rotate a page",
    ...ofPages,
    options: { rotate: 90, rotate_pages: "2" },
    check: (path) => expect(paperInfo(path)).toMatch(/Page\s+1 rot:\s+0[\s\S]*Page\s+2 rot:\s+90/),
  },
  {
    name: "select and reorder pages",
    ...ofPages,
    options: { pages: "3,1" },
    check: (path) => expect(paperText(path)).toMatch(/^\s*Page three\s+Page one\s*$/),
  },
  {
    name: "remove a page",
    ...ofPages,
    options: { pages: "!2" },
    check: (path) => expect(paperText(path)).toMatch(/^\s*Page one\s+Page three\s*$/),
  },
  {
    name: "draw a text over pages",
    ...ofPages,
    options: { watermark_text: "DRAFT", watermark_pages: "2-" },
    check: (path) => expect(paperText(path).match(/DRAFT/g)).toHaveLength(2),
  },
  {
    name: "stamp an image",
    ...ofPages,
    options: { watermark_position: "top_right" },
    files: { watermark_upload_id: "alpha.png" },
    isQuick: true,
    check: (path) => expect([paperImages(path) > 0, pageCount(path)]).toEqual([true, 3]),
  },
  {
    name: "stamp a page of a PDF",
    ...ofPages,
    options: { watermark_layer: "below" },
    files: { watermark_upload_id: "stamp.pdf" },
    check: (path) => expect(paperText(path).match(/STAMPED/g)).toHaveLength(3),
  },
  {
    name: "number pages",
    ...ofPages,
    options: { page_number_format: "No. {page} of {pages}", page_number_position: "top_left" },
    check: (path) => expect(paperText(path)).toMatch(/No\. 1 of 3[\s\S]*No\. 3 of 3/),
  },
  {
    name: "fill a form",
    from: "form.pdf",
    to: "pdf",
    options: { form_data: { name: "Ada" } },
    check: (path) => expect(paperJson(path, "acroform")).toContain("Ada"),
  },
  {
    name: "flatten a form",
    from: "form.pdf",
    to: "pdf",
    options: { form_data: { name: "Ada" }, flatten: true },
    check: (path) =>
      expect([paperInfo(path), paperText(path)]).toEqual([
        expect.stringMatching(/Form:\s+none/),
        expect.stringContaining("Ada"),
      ]),
  },
  {
    name: "write metadata",
    ...ofPages,
    options: { title: "The title", author: "Ada" },
    check: (path) => expect(paperInfo(path)).toMatch(/Title:\s+The title[\s\S]*Author:\s+Ada/),
  },
  {
    name: "read metadata",
    from: "pages.pdf",
    to: "json",
    check: (path) => expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ page_count: 3, bookmarks: [] }),
  },
  {
    name: "write bookmarks",
    ...ofPages,
    options: { bookmarks: [{ title: "Second", page: 2, level: 1 }] },
    check: (path) => expect(paperJson(path, "outlines")).toContain("Second"),
  },
  {
    name: "attach a file",
    ...ofPages,
    files: { attachment_upload_id: "note.txt" },
    check: (path) => expect(attachments(path)).toContain("note.txt"),
  },
  {
    name: "embed an invoice",
    from: "sample.pdf",
    to: "pdf",
    files: { facturx_upload_id: "invoice.xml" },
    check: (path) => {
      expect(attachments(path)).toContain("factur-x.xml");
      expect(paperMetadata(path)).toMatch(/pdfaid:part\D+3/);
    },
  },
  {
    name: "make a PDF/A",
    from: "sample.pdf",
    to: "pdf",
    options: { pdf_a: "2b" },
    check: (path) => expect(paperMetadata(path)).toMatch(/pdfaid:part\D+2/),
  },
  {
    name: "crop pages",
    ...ofPages,
    options: { crop_margins: "10" },
    check: (path) => expect(paperInfo(path)).toMatch(/CropBox:\s+28\.35\s+28\.35\s+271\.65\s+371\.65/),
  },
  {
    name: "put two pages on a sheet",
    ...ofPages,
    options: { pages_per_sheet: 2 },
    check: (path) =>
      expect([pageCount(path), paperText(path)]).toEqual([2, expect.stringMatching(/Page one[\s\S]*Page three/)]),
  },
  {
    name: "linearize a PDF",
    ...ofPages,
    options: { linearize: true },
    check: (path) => expect(paperInfo(path)).toMatch(/Optimized:\s+yes/),
  },
  {
    name: "repair a PDF",
    from: "broken.pdf",
    to: "pdf",
    check: (path) => expect(pageCount(path)).toBe(3),
  },
  {
    name: "extract images",
    from: "scan.pdf",
    to: "zip",
    check: (path) => expect(zipNames(path)).toEqual([expect.stringMatching(/\.jpe?g$/)]),
  },
  {
    name: "extract text",
    from: "pages.pdf",
    to: "txt",
    check: (path) => expect(readFileSync(path, "utf8")).toMatch(/Page one[\s\S]*Page three/),
  },
  {
    name: "draw each page",
    from: "pages.pdf",
    to: "png",
    options: { dpi: 36 },
    check: (path) => expect(zipNames(path)).toHaveLength(3),
  },
];
