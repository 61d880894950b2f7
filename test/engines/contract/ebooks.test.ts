import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { readXml } from "../../../functions/engines/data/text/xml.ts";
import { bookOf } from "../../../functions/engines/documents/fb2/book.ts";
import { cleanHtml } from "../../../functions/engines/documents/html/html.ts";
import { htmlOfBook } from "../../../functions/engines/documents/mobi/book.ts";
import { recordsOf } from "../../../functions/engines/documents/mobi/records.ts";
import { DOCUMENT_LINK, DOCUMENT_ROWS, DOCUMENT_TITLE, DOCUMENT_WORDS } from "../support/document.ts";
import { viewHtml } from "../support/documents/html.ts";
import { withTool } from "../support/tools.ts";
import { type Check, contract, type Result } from "./contract.ts";

const SAME = ["html", "md", "txt", "docx", "epub", "mobi", "azw3", "fb2", "lit", "lrf"];

/** An EPUB 3 book: the files in its package document exist, are well-formed, and are in reading order. */
const bookCheck: Check = (result) =>
  readZip(result.path, async (zip) => {
    const text = async (path: string): Promise<string> => (await zip.read(path))?.toString("utf8") ?? "";
    expect(zip.paths[0]).toBe("mimetype");
    expect(await text("mimetype")).toBe("application/epub+zip");
    for (const path of zip.paths.filter((each) => /\.(?:opf|ncx|xhtml|xml)$/.test(each))) {
      expect(readXml(await text(path), { depthMax: 300 }).root.name, path).toBeTruthy();
    }
    const book = await text("EPUB/package.opf");
    const items = [...book.matchAll(/<item id="([^"]+)" href="([^"]+)" media-type="([^"]+)"/g)];
    expect(items.map(([, , href]) => `EPUB/${href}`).toSorted()).toEqual(
      zip.paths.filter((path) => /^EPUB\/(?!package)/.test(path)).toSorted(),
    );
    const chapters = [...book.matchAll(/<itemref idref="([^"]+)"/g)].map(([, id]) =>
      items.find(([, each]) => each === id)?.at(2),
    );
    const pages = await Promise.all(chapters.map((path) => text(`EPUB/${path}`)));
    const view = viewHtml(pages.map((page) => page.replace(/^[\s\S]*<body>|<\/body>[\s\S]*$/g, "")).join("\n"));
    const contents = await text("EPUB/text/contents.xhtml");
    for (const [, file = "", id] of contents.matchAll(/<a href="([^"#]+)(?:#([^"]+))?"/g)) {
      const page = await text(`EPUB/text/${file}`);
      expect(page).toContain(id === undefined ? "<body>" : `id="${decodeURIComponent(id)}"`);
    }
    expect(view.unsafe.filter((danger) => !/^img src=\.\.\/pictures\/picture-\d+\.\w+$/.test(danger))).toEqual([]);
    if (!SAME.includes(result.from)) {
      expect(view.text).toMatch(/\p{L}{2}/u);
      return;
    }
    expect(DOCUMENT_WORDS.filter((word) => !view.text.replace(/\s+/g, " ").includes(word))).toEqual([]);
    if (result.from !== "txt") {
      expect(book).toContain(`<dc:title>${DOCUMENT_TITLE}</dc:title>`);
      expect(contents).toContain(`>${DOCUMENT_TITLE}</a>`);
      expect(view.tables[0]).toEqual(DOCUMENT_ROWS);
      expect(zip.paths.filter((path) => /^EPUB\/pictures\/.*\.png$/.test(path))).toHaveLength(1);
    }
    if (withTool("pandoc")) {
      const plain = execFileSync("pandoc", ["--from=epub", "--to=plain", result.path], { encoding: "utf8" });
      expect(plain).toMatch(/Harbour report[\s\S]*Überfahrt, café[\s\S]*שלום עולם/);
    }
  });

/** Fails unless a book has the content of its source's sample, as read by our reader of another tool's book. */
const expectBook = (html: string, { from }: Result): void => {
  const view = viewHtml(html);
  expect(view.unsafe).toEqual([]);
  if (!SAME.includes(from)) {
    expect(view.text).toMatch(/\p{L}{2}/u);
    return;
  }
  const flat = view.text.replace(/\s+/g, " ");
  expect(DOCUMENT_WORDS.filter((word) => !flat.includes(word))).toEqual([]);
  if (from !== "txt") {
    expect(view.title).toBe(DOCUMENT_TITLE);
    expect(view.pictures).toEqual([expect.stringMatching(/^data:image\/(?:png|jpeg|gif);base64,/)]);
  }
  // Sony's readers do not support external links, and plain text has no links.
  if (from !== "txt" && from !== "lrf") {
    expect(view.links).toContain(DOCUMENT_LINK);
  }
};

/** The kind of a Mobipocket file is in its header: 6 is the old format, 8 is Kindle's. */
const kindleCheck =
  (version: number): Check =>
  (result) => {
    const bytes = readFileSync(result.path);
    expect(recordsOf(bytes).at(0).readUInt32BE(36)).toBe(version);
    const { html } = htmlOfBook(bytes);
    expectBook(html, result);
    if (SAME.includes(result.from) && result.from !== "txt") {
      expect(viewHtml(html).tables).toContainEqual(
        // Calibre's Mobipocket files have extra spaces in table cells.
        DOCUMENT_ROWS.map((row) => row.map((cell) => expect.stringMatching(new RegExp(`^\\s*${cell}\\s*$`)))),
      );
    }
  };

const fictionCheck: Check = (result) => {
  const { root } = readXml(readFileSync(result.path, "utf8"), { depthMax: 300 });
  expect(root.name).toBe("FictionBook");
  const { html, pictures, title, lang } = bookOf(root);
  expectBook(cleanHtml(html, { title, lang, pictures: (name) => pictures.get(name) }).html, result);
};

contract("ebook", { epub: bookCheck, mobi: kindleCheck(6), azw3: kindleCheck(8), fb2: fictionCheck });
