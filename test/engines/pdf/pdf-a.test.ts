import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PDFDocument, PDFName, StandardFonts } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { OptionFiles } from "../../../functions/engines/core/engine.ts";
import { engines } from "../../../functions/engines/index.ts";
import { invoiceXml } from "../support/documents/invoice.ts";
import { checkByQpdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

/** Attachments, invoices and PDF/A, as poppler and exiftool read them. */

const scratch = scratchFolder();
const change = async (input: string, options: Options, optionFiles: OptionFiles = {}): Promise<string> => {
  const output = `${scratch.fresh()}.pdf`;
  const { convert } = await engines.qpdf();
  await convert(taskOf({ input, output, from: "pdf", to: "pdf", options, optionFiles }, scratch.folder));
  checkByQpdf(output);
  return output;
};

/** One page with embedded fonts. */
const page = (): string => scratch.file(typeset('An invoice with a #link("https://example.com")[link].'));
/** Compares the tags that ExifTool finds, if it is installed. */
const expectTags = (path: string, tags: object): void => {
  if (withTool("exiftool")) {
    expect(JSON.parse(execFileSync("exiftool", ["-j", "-G1", path], { encoding: "utf8" }))[0]).toMatchObject(tags);
  }
};
const attached = (path: string): string => execFileSync("pdfdetach", ["-list", path], { encoding: "utf8" });
const extracted = (path: string): string => {
  const target = scratch.fresh();
  execFileSync("pdfdetach", ["-save", "1", "-o", target, path]);
  return readFileSync(target, "utf8");
};

const fileOf = (text: string, from: "txt" | "xml", name: string) => ({
  path: scratch.file(Buffer.from(text)),
  from,
  name,
});

describe("an attachment", () => {
  test("has its bytes, and its name in any script", async () => {
    const file = fileOf("Hello.", "txt", "Größe (東京.txt");
    const path = await change(page(), { attachment_upload_id: "upl_1" }, { attachment_upload_id: file });
    expect(attached(path)).toContain("Größe (東京.txt");
    expect(extracted(path)).toBe("Hello.");
  });
});

describe("an invoice", () => {
  test.each([
    ["urn:factur-x.eu:1p0:minimum", "MINIMUM"],
    ["urn:factur-x.eu:1p0:basicwl", "BASIC WL"],
    ["urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic", "BASIC"],
    ["urn:cen.eu:en16931:2017", "EN 16931"],
    ["urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended", "EXTENDED"],
  ])("of the profile %s is PDF/A-3b with the XML attached", async (id, level) => {
    const file = fileOf(invoiceXml(id), "xml", "rechnung.xml");
    const path = await change(page(), { facturx_upload_id: "upl_1", title: "Invoice 1" }, { facturx_upload_id: file });
    expectTags(path, {
      "XMP-pdfaid:Part": 3,
      "XMP-pdfaid:Conformance": "B",
      "XMP-dc:Title": "Invoice 1",
      "PDF:Title": "Invoice 1",
    });
    expect(execFileSync("pdfinfo", ["-meta", path], { encoding: "utf8" })).toContain(
      `<fx:ConformanceLevel>${level}</fx:ConformanceLevel>`,
    );
    expect(attached(path)).toContain("factur-x.xml");
    expect(extracted(path)).toBe(invoiceXml(id));
    const json = execFileSync("qpdf", ["--qdf", path, "-"], { encoding: "latin1" });
    expect(json).toContain("/AFRelationship /Alternative");
    expect(json).toMatch(/\/AF\b/);
  });

  test.each([invoiceXml("urn:unknown"), "<Invoice/>"])("that is not Factur-X is refused", async (xml) => {
    const file = fileOf(xml, "xml", "a.xml");
    await expect(change(page(), { facturx_upload_id: "upl_1" }, { facturx_upload_id: file })).rejects.toMatchObject({
      code: "unsupported_feature",
    });
  });
});

describe("PDF/A", () => {
  test.each(["2b", "3b"] as const)("%s is identified, with an output intent, and links are printed", async (pdf_a) => {
    const path = await change(page(), { pdf_a });
    expectTags(path, { "XMP-pdfaid:Part": Number(pdf_a[0]), "XMP-pdfaid:Conformance": "B" });
    const text = execFileSync("qpdf", ["--qdf", path, "-"], { encoding: "latin1" });
    expect(text).toContain("/GTS_PDFA1");
    expect(text).toMatch(/\/F 4\b/);
    const fonts = execFileSync("pdffonts", [path], { encoding: "utf8" }).trim().split("\n").slice(2);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.every((font) => /\b(?:yes|no) (?:yes|no) (?:yes|no)\b/.exec(font)?.[0].startsWith("yes"))).toBe(true);
    // What PDF/A forbids in each file (ISO 19005-2, 6.1.3, 6.1.7, 6.2.8, 6.5.1).
    expect(text).not.toMatch(/\/(?:Encrypt|LZWDecode|Crypt|JavaScript|Launch|Interpolate true|DeviceCMYK)\b/);
    expect(text).toMatch(/\/ID \[/);
  });

  test("is refused, with what stands in the way", async () => {
    const document = await PDFDocument.create();
    const sheet = document.addPage([200, 200]);
    sheet.drawText("Not embedded", { font: await document.embedFont(StandardFonts.TimesRoman) });
    const action = document.context.obj({ Type: "Action", S: "JavaScript", JS: "app.alert(1)" });
    document.catalog.set(PDFName.of("OpenAction"), document.context.register(action));
    sheet.node.addContentStream(document.context.register(document.context.flateStream("0 0 0 1 k 0 0 9 9 re f")));
    const source = scratch.file(await document.save());
    await expect(change(source, { pdf_a: "2b" })).rejects.toThrow(
      /PDF\/A-2b: (?=.*fonts that are not embedded \(Times-Roman\))(?=.*actions \(JavaScript\))(?=.*DeviceCMYK)/,
    );
    const other = await PDFDocument.load(readFileSync(page()));
    const { context } = other;
    other.addPage([20_000, 100]);
    const group = { Type: "Group", S: "Transparency", CS: "DeviceCMYK" };
    other.getPage(0).node.set(PDFName.of("Group"), context.register(context.obj(group)));
    other.catalog.set(PDFName.of("AA"), context.obj({}));
    const script = { Names: ["a", { S: "JavaScript", JS: "1" }] };
    other.catalog.set(PDFName.of("Names"), context.obj({ JavaScript: script }));
    const states = context.obj({ State: context.register(context.obj({ Type: "ExtGState", TR: "Identity" })) });
    other.getPage(0).node.Resources()?.set(PDFName.of("ExtGState"), states);
    await expect(change(scratch.file(await other.save()), { pdf_a: "3b" })).rejects.toThrow(
      /(?=.*sizes of pages \(20000 × 100 points\))(?=.*DeviceCMYK)(?=.*actions \(JavaScript, on opening)(?=.*objects \(TR\))/,
    );
    const file = fileOf("Hello.", "txt", "a.txt");
    const attachment = { attachment_upload_id: file };
    await expect(change(page(), { attachment_upload_id: "upl_1", pdf_a: "2b" }, attachment)).rejects.toThrow(
      "attachments",
    );
    await change(page(), { attachment_upload_id: "upl_1", pdf_a: "3b" }, attachment);
  });
});
