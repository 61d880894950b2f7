import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

/** Metadata, bookmarks and form fields, as poppler and qpdf read them. */

const scratch = scratchFolder();
const convert = convertingBy("qpdf", scratch);
const change = async (input: string, options: Options) => {
  const made = await convert(input, ["pdf", "pdf"], options);
  checkByQpdf(made.path);
  return made;
};
const describeBy = convertingBy("pdflib", scratch);
const described = async (input: string, options: Options = {}) =>
  JSON.parse(readFileSync((await describeBy(input, ["pdf", "json"], options)).path, "utf8"));

const info = (path: string, ...options: readonly string[]): string =>
  execFileSync("pdfinfo", [...options, path], { encoding: "utf8" });

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<rdf:Description rdf:about="" pdf:Keywords="old words" pdf:Producer="kept"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old
title</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** Three pages with headings, metadata in both places, and bookmarks. */
const source = async (): Promise<string> => {
  const document = await PDFDocument.load(typeset("= One\n#pagebreak()\n= Two\n#pagebreak()\n= Three\n"));
  document.setTitle("Old title");
  document.setAuthor("Somebody");
  const packet = document.context.stream(XMP, { Type: "Metadata", Subtype: "XML" });
  document.catalog.set(PDFName.of("Metadata"), document.context.register(packet));
  return scratch.file(await document.save());
};

describe("metadata", () => {
  test("is set in the information and in the XMP packet, whose other properties stay", async () => {
    const { path } = await change(await source(), { title: "Größe & 東京 <1>", keywords: "one, two", author: "" });
    const text = info(path);
    expect(text).toMatch(/^Title:\s+Größe & 東京 <1>$/m);
    expect(text).toMatch(/^Keywords:\s+one, two$/m);
    expect(text).not.toMatch(/^Author:/m);
    const packet = info(path, "-meta");
    expect(packet).toContain('<rdf:li xml:lang="x-default">Größe &amp; 東京 &lt;1&gt;</rdf:li>');
    expect(packet).toContain("<rdf:li>one</rdf:li><rdf:li>two</rdf:li>");
    expect(packet).toContain('pdf:Producer="kept"');
    expect(packet).not.toMatch(/Old\s+title|old words/);
    if (withTool("xmllint")) {
      execFileSync("xmllint", ["--noout", "-"], {
        input: packet.slice(packet.indexOf("<x:xmpmeta")).replace(/<\?xpacket.*/s, ""),
      });
    }
  });

  test("is removed completely, and set again", async () => {
    const { path } = await change(await source(), { strip_metadata: "all", subject: "New" });
    expect(info(path)).toMatch(/^Subject:\s+New$/m);
    expect(info(path)).not.toMatch(/^(?:Title|Author|Producer|Creator):/m);
    expect(info(path, "-meta").trim()).toBe("");
  });

  test("is read as JSON with the sizes of the pages and the bookmarks", async () => {
    const { path } = await change(await source(), { title: "Report", rotate: 90, rotate_pages: "2" });
    const { metadata, pages, page_count, bookmarks, form_fields } = await described(path);
    expect(metadata).toMatchObject({ title: "Report", author: "Somebody", subject: null });
    expect(metadata.created_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect([page_count, pages[0], pages[1]]).toEqual([
      3,
      { width: 595.28, height: 841.89, rotation: 0 },
      { width: 841.89, height: 595.28, rotation: 90 },
    ]);
    expect(bookmarks).toEqual(["One", "Two", "Three"].map((title, index) => ({ title, page: index + 1, level: 1 })));
    expect(form_fields).toEqual([]);
  });
});

describe("bookmarks", () => {
  const wanted = [
    { title: "Chapter Ä", page: 1 },
    { title: "Part", page: 2, level: 2 },
    { title: "Deep", page: 3, level: 5 },
    { title: "東京", page: 3 },
  ];

  test("are replaced, in levels, and read as they were written", async () => {
    const { path } = await change(await source(), { bookmarks: wanted });
    const { outlines } = JSON.parse(
      execFileSync("qpdf", ["--json", "--json-key=outlines", path], { encoding: "utf8" }),
    );
    const shape = (items: { title: string; destpageposfrom1: number; kids: [] }[]): unknown =>
      items.map(({ title, destpageposfrom1, kids }) => [title, destpageposfrom1, shape(kids)]);
    expect(shape(outlines)).toEqual([
      ["Chapter Ä", 1, [["Part", 2, [["Deep", 3, []]]]]],
      ["東京", 3, []],
    ]);
    expect((await described(path)).bookmarks.map(({ level }: { level: number }) => level)).toEqual([1, 2, 3, 1]);
  });

  test("are removed by an empty list, and refused for a page that the result does not have", async () => {
    const { path } = await change(await source(), { bookmarks: [] });
    expect((await described(path)).bookmarks).toEqual([]);
    expect(await codeOf(change(await source(), { pages: "1-2", bookmarks: wanted }))).toBe("unsupported_feature");
  });

  test("that refer to themselves end", async () => {
    const document = await PDFDocument.load(readFileSync(await source()));
    const ref = document.context.nextRef();
    const item = document.context.obj({ Title: "Loop", Next: ref, First: ref });
    document.context.assign(ref, item);
    document.catalog.set(PDFName.of("Outlines"), document.context.obj({ First: ref }));
    expect((await described(scratch.file(await document.save()))).bookmarks).toEqual([
      { title: "Loop", page: null, level: 1 },
    ]);
  });
});

describe("a form", () => {
  const form = async (): Promise<string> => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 400]);
    const fields = document.getForm();
    fields.createTextField("person.name").addToPage(page, { x: 20, y: 340, width: 200, height: 25 });
    fields.createCheckBox("agree").addToPage(page, { x: 20, y: 300, width: 20, height: 20 });
    const color = fields.createRadioGroup("color");
    color.addOptionToPage("red", page, { x: 20, y: 260, width: 20, height: 20 });
    color.addOptionToPage("blue", page, { x: 60, y: 260, width: 20, height: 20 });
    const size = fields.createDropdown("size");
    size.addOptions(["small", "large"]);
    size.addToPage(page, { x: 20, y: 200, width: 100, height: 25 });
    return scratch.file(await document.save());
  };
  const data = { "person.name": "Zoë Müller", agree: true, color: "blue", size: "large" };

  test("is filled, and its values are read again", async () => {
    const { path, codes } = await change(await form(), { form_data: data });
    expect(codes).toEqual([]);
    const { form_fields } = await described(path);
    expect(form_fields).toEqual([
      { name: "person.name", type: "text", value: "Zoë Müller", read_only: false, required: false },
      { name: "agree", type: "checkbox", value: true, read_only: false, required: false },
      { name: "color", type: "radio", value: "blue", choices: ["red", "blue"], read_only: false, required: false },
      {
        name: "size",
        type: "choice",
        value: ["large"],
        choices: ["small", "large"],
        read_only: false,
        required: false,
      },
    ]);
    const acroform = JSON.parse(
      execFileSync("qpdf", ["--json", "--json-key=acroform", path], { encoding: "utf8" }),
    ).acroform;
    expect(acroform.fields.map(({ value }: { value: string }) => value)).toEqual(
      expect.arrayContaining(["u:Zoë Müller", "u:large"]),
    );
  });

  test("is filled and flattened: its values are content of the page", async () => {
    const { path } = await change(await form(), { form_data: data, flatten: true });
    const [view] = await viewPdf(path);
    expect(view?.text).toContain("Zoë Müller");
    expect(view?.text).toContain("large");
    expect((await described(path)).form_fields).toEqual([]);
  });

  test("keeps a value in another script, with a warning, and does not flatten it", async () => {
    const form_data = { "person.name": "Ада" };
    const { path, codes } = await change(await form(), { form_data });
    expect([codes, (await described(path)).form_fields[0].value]).toEqual([["form_appearance_missing"], "Ада"]);
    expect(await codeOf(change(await form(), { form_data, flatten: true }))).toBe("unsupported_feature");
  });

  test.each([{ nobody: "x" }, { color: "green" }, { size: ["huge"] }])("refuses %j", async (form_data) => {
    expect(await codeOf(change(await form(), { form_data }))).toBe("unsupported_feature");
  });
});
