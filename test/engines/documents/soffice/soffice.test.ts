import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../../functions/domain/formats/detect.ts";
import { readZip } from "../../../../functions/engines/archives/zip/reader.ts";
import { withMember } from "../../support/attacks/attack.ts";
import { DOCUMENT_TITLE } from "../../support/document.ts";
import { SLIDE_TEXTS } from "../../support/documents/office.ts";
import { viewPdf } from "../../support/documents/pdf.ts";
import { fixture, sampleOf } from "../../support/fixtures.ts";
import { PICTURE_COLORS } from "../../support/pictures/picture.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../../support/task.ts";
import { withTool } from "../../support/tools.ts";

const scratch = scratchFolder();
const convert = convertingBy("soffice", scratch);
const convertByRoute = convertingByRoute(scratch);

/** Encrypted with the password `Ströme 7`; the content is that of the samples. */
const PASSWORD = "Ströme 7";

describe.skipIf(!isInstalled("soffice"))("LibreOffice", () => {
  test("renders only the requested pages", async () => {
    const { path } = await convert(sampleOf("pptx"), ["pptx", "pdf"], { pages: "2-" });
    const texts = (await viewPdf(path)).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain(SLIDE_TEXTS[1]?.[0]);
  });

  test("reports requested pages that are out of range", async () => {
    await expect(convert(sampleOf("pptx"), ["pptx", "pdf"], { pages: "7-9" })).rejects.toMatchObject({
      code: "unsupported_feature",
      message: "Pages 7-9 are out of range: the document has 3 pages.",
    });
  });

  test.each(["1b", "2b", "3b"] as const)("writes an archival PDF: PDF/A-%s", async (level) => {
    const { path } = await convert(sampleOf("docx"), ["docx", "pdf"], { pdf_a: level });
    const text = readFileSync(path, "latin1");
    expect(text).toMatch(new RegExp(`pdfaid:part>${level[0]}<`));
    expect(text).toMatch(/pdfaid:conformance>[AB]</);
  });

  test("fits wide sheets to the width of a page, unless the workbook sets a scale", async () => {
    const pagesOf = async (book: string, options = {}) =>
      (await viewPdf((await convert(scratch.file(book), ["fods", "pdf"], options)).path)).map(
        ({ width, height, text }) => ({
          isLandscape: width > height,
          text,
        }),
      );
    const [page, ...others] = await pagesOf(wideWorkbook(12));
    expect(others).toEqual([]);
    expect(page?.isLandscape).toBe(true);
    expect(page?.text).toMatch(/Column 1\b.*Column 12\b/s);
    expect(await pagesOf(wideWorkbook(12), { sheet_fit: "none" })).toHaveLength(2);
    expect(await pagesOf(wideWorkbook(12, `<style:page-layout-properties style:scale-to="90%"/>`))).toHaveLength(2);
    expect(await pagesOf(wideWorkbook(3))).toMatchObject([{ isLandscape: false }]);
    // Text smaller than 30 % would not be readable.
    expect((await pagesOf(wideWorkbook(100))).length).toBeGreaterThan(1);
    expect(await pagesOf(wideWorkbook(40), { sheet_fit: "page" })).toHaveLength(1);
  });

  test("extracts one sheet of a workbook, by name or number, with the values it uses from others", async () => {
    const book = scratch.file(WORKBOOK);
    for (const sheet of ["Second", 2]) {
      const { path } = await convert(book, ["fods", "pdf"], { sheet });
      const text = (await viewPdf(path)).map((page) => page.text).join(" ");
      expect(text).toContain("forty-two 42");
      expect(text).not.toContain("hidden");
    }
    const { path } = await convert(book, ["fods", "xlsx"], { sheet: 2 });
    await readZip(path, async (zip) => {
      expect(zip.paths.filter((name) => name.startsWith("xl/worksheets/sheet"))).toHaveLength(1);
      expect((await zip.read("xl/worksheets/sheet1.xml"))?.toString()).toMatch(/<v>42<\/v>/);
    });
    await expect(convert(book, ["fods", "pdf"], { sheet: "Third" })).rejects.toMatchObject({
      code: "unsupported_feature",
      message: "Sheet Third not found. Available sheets: First, Second.",
    });
  });

  test.each([
    ["encrypted.docx", "docx", "Harbour report"],
    ["encrypted.xlsx", "xlsx", "Zoë"],
    ["encrypted.odt", "odt", "Harbour report"],
  ] as const)("opens %s only with its password", async (name, format, word) => {
    const path = fixture(name);
    expect(detectFormat(readFileSync(path), { filename: name })).toBe(format);
    const made = await convert(path, [format, "pdf"], { password: PASSWORD });
    expect((await viewPdf(made.path)).map(({ text }) => text).join(" ")).toContain(word);
    await expect(convert(path, [format, "pdf"])).rejects.toMatchObject({ code: "password_required" });
    await expect(convert(path, [format, "pdf"], { password: "guess" })).rejects.toMatchObject({
      code: "password_required",
      message: expect.stringContaining("Wrong password"),
    });
  });

  test("writes encrypted sources without a password", async () => {
    const { path } = await convert(fixture("encrypted.docx"), ["docx", "odt"], { password: PASSWORD });
    await readZip(path, async (zip) => {
      expect((await zip.read("content.xml"))?.toString()).toContain("Harbour report");
    });
  });

  test("reports the unsupported encryption of a PowerPoint 97 presentation", async () => {
    const bytes = readFileSync(sampleOf("ppt"));
    const at = bytes.indexOf(Buffer.from("PowerPoint Document\0", "utf16le"));
    expect(at).toBeGreaterThan(0);
    const path = scratch.file(
      Buffer.concat([bytes.subarray(0, at), Buffer.from("EncryptedSummary\0\0\0\0", "utf16le")]),
    );
    await expect(convert(path, ["ppt", "pdf"])).rejects.toMatchObject({ code: "unsupported_feature" });
  });

  test("lists missing fonts, but only for targets that render text", async () => {
    const path = scratch.file(
      readFileSync(sampleOf("fodt"), "utf8").replace('fo:font-weight="bold"', 'fo:font-family="Nowhere Sans"'),
    );
    const { warnings } = await convert(path, ["fodt", "pdf"]);
    expect(warnings).toEqual([{ code: "fonts_replaced", detail: "Missing fonts were replaced: Nowhere Sans." }]);
    expect((await convert(path, ["fodt", "docx"])).codes).toEqual([]);
  });

  test.each(["emf", "wmf", "vsdx"] as const)("crops an %s to its four quarters", async (format) => {
    const { path } = await convert(sampleOf(format), [format, "pdf"]);
    const [page, ...others] = await viewPdf(path, { width: 96, height: 64 });
    expect(others).toEqual([]);
    for (const [index, color] of PICTURE_COLORS.entries()) {
      const [x, y] = [index % 2 === 0 ? 40 : 56, index < 2 ? 28 : 40];
      const at = (y * 96 + x) * 3;
      const found = [...(page?.pixels.subarray(at, at + 3) ?? [])];
      expect(found.map((part, channel) => Math.abs(part - (color[channel] ?? 0)) < 8)).toEqual([true, true, true]);
    }
  });

  test.each([1, 2])("survives comments, whose windows its packages without a GUI do not have (%i)", async () => {
    const text = readFileSync(sampleOf("fodt"), "utf8").replace(
      DOCUMENT_TITLE,
      `${DOCUMENT_TITLE}<office:annotation xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>Ana</dc:creator><text:p>Why?</text:p></office:annotation>`,
    );
    const { path } = await convert(scratch.file(text), ["fodt", "pdf"]);
    expect((await viewPdf(path))[0]?.text).toContain(DOCUMENT_TITLE);
    await convert(scratch.file(text), ["fodt", "docx"]);
  });

  test("draws each slide as a separate picture", async () => {
    const { output, bundled } = await convertByRoute(sampleOf("pptx"), ["pptx", "jpg"]);
    expect(bundled).toBe(true);
    await readZip(output, async (zip) => {
      expect(zip.paths).toEqual(["page-01.jpg", "page-02.jpg", "page-03.jpg"]);
    });
  });

  test.each(["docx", "xlsx", "pptx", "odt", "doc", "ppt", "vsdx"] as const)(
    "rejects a truncated %s",
    async (format) => {
      const bytes = readFileSync(sampleOf(format));
      await expect(convert(scratch.file(bytes.subarray(0, bytes.length / 3)), [format, "pdf"])).rejects.toMatchObject({
        code: "source_corrupt",
      });
    },
  );

  test("rejects content of a different document type", async () => {
    await expect(convert(sampleOf("pptx"), ["docx", "odt"])).rejects.toMatchObject({ code: "source_mismatch" });
  });

  test("rejects a document that exceeds the page limit", async () => {
    const rows = '<text:p text:style-name="p"/>'.repeat(2_100);
    const text = readFileSync(sampleOf("fodt"), "utf8")
      .replace("</office:automatic-styles>", `${BREAK}</office:automatic-styles>`)
      .replace("</office:text>", `${rows}</office:text>`);
    await expect(convert(scratch.file(text), ["fodt", "pdf"])).rejects.toMatchObject({ code: "too_many_pages" });
  });

  test("rejects a sheet with a cell in the last row and column before its pages are counted", async () => {
    const sheet = await withMember("xlsx", "xl/worksheets/sheet1.xml", (text) =>
      text.replace("</sheetData>", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
    );
    await expect(convert(scratch.file(sheet), ["xlsx", "pdf"])).rejects.toMatchObject({
      code: "too_many_pages",
      message: expect.stringContaining("16384 columns and 1048576 rows"),
    });
  });

  test("writes text documents that another office suite can read", async () => {
    const { path } = await convert(sampleOf("odt"), ["odt", "docx"]);
    if (withTool("pandoc")) {
      expect(execFileSync("pandoc", ["--from=docx", "--to=plain", path], { encoding: "utf8" })).toContain("Polska");
    }
    writeFileSync(scratch.path("kept"), "");
  });
});

const BREAK =
  '<style:style style:name="p" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>';

const cellOf = (text: string): string =>
  `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`;

const WORKBOOK = `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="First">${cellOf("hidden")}<table:table-row><table:table-cell office:value-type="float" office:value="41"/></table:table-row></table:table><table:table table:name="Second"><table:table-row><table:table-cell office:value-type="string"><text:p>forty-two</text:p></table:table-cell><table:table-cell table:formula="of:=[$First.A2]+1" office:value-type="float" office:value="42"/></table:table-row></table:table></office:spreadsheet></office:body></office:document>`;

/** A workbook with columns of 2.26 cm. */
const wideWorkbook = (columns: number, layout = "<style:page-layout-properties/>"): string =>
  `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles><style:page-layout style:name="layout">${layout}</style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="layout"/></office:master-styles><office:body><office:spreadsheet><table:table table:name="Wide"><table:table-row>${Array.from({ length: columns }, (_, index) => `<table:table-cell office:value-type="string"><text:p>Column ${index + 1}</text:p></table:table-cell>`).join("")}</table:table-row></table:table></office:spreadsheet></office:body></office:document>`;
