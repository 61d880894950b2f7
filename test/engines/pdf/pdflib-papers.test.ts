import { readFileSync, statSync } from "node:fs";
import { PDFDict, PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { pdflibEngine } from "../../../functions/engines/pdf/pdflib.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("pdflib", scratch);
const rewrite = async (input: string, options: Options = {}) => {
  const made = await convert(input, ["pdf", "pdf"], options);
  checkByQpdf(made.path);
  return made;
};

/** A document with numbered pages, each with a link to the last page. */
const numbered = (count: number): string =>
  scratch.file(
    typeset(
      `#set document(title: "Numbers", author: "Ann")\n${Array.from({ length: count }, (_, index) => `= Page number ${index + 1}\n#link(<last>)[to the end]`).join("\n#pagebreak()\n")} <last>`,
    ),
  );

const numbersOf = async (path: string): Promise<(string | undefined)[]> =>
  (await viewPdf(path)).map(({ text }) => /number (\d+)/.exec(text)?.[1]);

test.each([
  ["2", ["2"]],
  ["4-", ["4", "5"]],
  ["3,1", ["3", "1"]],
  ["1-2,5,9-12", ["1", "2", "5"]],
])("extracts pages %s in this order", async (pages, expected) => {
  const { path } = await rewrite(numbered(5), { pages });
  expect(await numbersOf(path)).toEqual(expected);
});

test("rejects pages that do not exist", async () => {
  expect(await codeOf(convert(numbered(2), ["pdf", "pdf"], { pages: "7-" }))).toBe("unsupported_feature");
});

test("a complete document keeps its title, bookmarks and links", async () => {
  const { path, codes } = await rewrite(numbered(3));
  const document = await PDFDocument.load(readFileSync(path));
  expect(document.getTitle()).toBe("Numbers");
  expect(document.catalog.has(PDFName.of("Outlines"))).toBe(true);
  expect(codes).toEqual([]);
});

test("extracted pages keep title and author, with a warning about lost bookmarks", async () => {
  const { path, codes } = await rewrite(numbered(3), { pages: "1" });
  const document = await PDFDocument.load(readFileSync(path));
  expect(codes).toContain("bookmarks_dropped");
  expect([document.getTitle(), document.getAuthor()]).toEqual(["Numbers", "Ann"]);
});

test.each([
  ["StructTreeRoot", "tags_dropped"],
  ["AcroForm", "form_fields_dropped"],
  ["OCProperties", "layers_dropped"],
])("extracted pages warn about lost %s: %s", async (name, code) => {
  const document = await PDFDocument.load(readFileSync(numbered(2)));
  document.catalog.set(PDFName.of(name), document.context.obj({}));
  const { codes } = await rewrite(scratch.file(await document.save()), { pages: "1" });
  expect(codes).toContain(code);
});

test("pages that are not extracted are not in the file, even if links lead to them", async () => {
  const { path } = await rewrite(numbered(5), { pages: "1" });
  const document = await PDFDocument.load(readFileSync(path));
  const pages = document.context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFDict && object.get(PDFName.of("Type")) === PDFName.of("Page"));
  expect(pages).toHaveLength(1);
});

test("extracted pages keep their web links", async () => {
  const input = scratch.file(typeset('#link("https://example.org/there")[x]\n#pagebreak()\ny'));
  const { path } = await rewrite(input, { pages: "1" });
  const document = await PDFDocument.load(readFileSync(path));
  const annotation = document.getPage(0).node.Annots()?.lookup(0, PDFDict);
  const target = annotation?.lookup(PDFName.of("A"), PDFDict).lookup(PDFName.of("URI"));
  expect(target instanceof PDFString ? target.asString() : "").toBe("https://example.org/there");
});

test("merges several documents in order", async () => {
  const input = numbered(2);
  const further = [numbered(3), sampleOf("pdf")].map((path) => ({ path, from: "pdf" }) as const);
  const output = `${scratch.fresh()}.pdf`;
  await pdflibEngine.convert(taskOf({ input, further, output, from: "pdf", to: "pdf" }, scratch.folder));
  checkByQpdf(output);
  expect((await numbersOf(output)).slice(0, 5)).toEqual(["1", "2", "1", "2", "3"]);
  expect((await viewPdf(output)).length).toBeGreaterThan(5);
});

test("split writes each page as a separate file, numbered to sort in order", async () => {
  const { parts = [] } = await convert(numbered(11), ["pdf", "pdf"], { split: true, pages: "1-10" });
  expect(parts.map(({ name }) => name).slice(0, 2)).toEqual(["page-01", "page-02"]);
  expect(parts).toHaveLength(10);
  for (const [index, { path }] of parts.entries()) {
    checkByQpdf(path);
    expect(await numbersOf(path)).toEqual([String(index + 1)]);
  }
});

describe("an encrypted document", () => {
  const encrypted = async (userPassword: string): Promise<string> => {
    const document = await PDFDocument.load(readFileSync(numbered(2)));
    document.encrypt({ userPassword, ownerPassword: "the owner's" });
    return scratch.file(await document.save());
  };

  test("opens with its password, and the result is not encrypted", async () => {
    const { path } = await rewrite(await encrypted("open sesame"), { password: "open sesame" });
    expect(await numbersOf(path)).toEqual(["1", "2"]);
  });

  test("opens without a password if only changes are restricted", async () => {
    const { path } = await rewrite(await encrypted(""));
    expect(await numbersOf(path)).toEqual(["1", "2"]);
  });

  test.each([{}, { password: "wrong" }])("is rejected with %j", async (options) => {
    const input = await encrypted("open sesame");
    expect(await codeOf(convert(input, ["pdf", "pdf"], options))).toBe("password_required");
  });
});

describe("a damaged document", () => {
  test.each([
    ["only its first line", "%PDF-1.7\n"],
    ["letters", `%PDF-1.4\n${"garbage ".repeat(200)}`],
    ["an invalid page tree", "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 5>>\nendobj\ntrailer\n<</Root 1 0 R>>\n"],
  ])("with %s is rejected", async (_, text) => {
    expect(await codeOf(convert(scratch.file(text), ["pdf", "pdf"]))).toBe("source_corrupt");
  });

  test("without its cross-reference table is repaired", async () => {
    const complete = readFileSync(numbered(2));
    const input = scratch.file(complete.subarray(0, complete.lastIndexOf("startxref")));
    const { path } = await rewrite(input);
    expect(statSync(path).size).toBeGreaterThan(1_000);
    expect(await numbersOf(path)).toEqual(["1", "2"]);
  });
});
