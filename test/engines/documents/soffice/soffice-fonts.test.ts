import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { withMember } from "../../support/attacks/attack.ts";
import { DOCUMENT_TITLE } from "../../support/document.ts";
import { poppler, viewPdf } from "../../support/documents/pdf.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("soffice", scratch);

/** From 2008, 2018 and 2021; a sequence with a variation selector, one with a skin tone, and a flag. */
const EMOJI = ["😀", "🥰", "🫠", "❤️", "👍🏽", "🇩🇪"];

/** A document whose only text is this. */
const documentWith = (text: string, font = "Arial"): string =>
  `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles><style:style style:name="p" style:family="paragraph"><style:text-properties fo:font-family="${font}"/></style:style></office:automatic-styles><office:body><office:text><text:p text:style-name="p">${text}</text:p></office:text></office:body></office:document>`;

/** @returns how many pixels of the first page are dark */
const inkOf = async (from: FormatId, bytes: string | Buffer): Promise<number> => {
  const { path } = await convert(scratch.file(bytes), [from, "pdf"]);
  const [page] = await viewPdf(path, { scale: 3 });
  return (page?.pixels ?? []).filter((value) => value < 128).length / 3;
};

const fontsOf = async (bytes: string): Promise<string | undefined> =>
  poppler("pdffonts", (await convert(scratch.file(bytes), ["fodt", "pdf"])).path);

describe.skipIf(!isInstalled("soffice"))("LibreOffice's fonts", () => {
  test.each(EMOJI)("draw %s", async (emoji) => {
    expect(await inkOf("fodt", documentWith(emoji))).toBeGreaterThan(100);
  });

  test("draw emoji in Word documents, slides and workbooks", async () => {
    const withTitle = (title: string) => (xml: string) => xml.replace(DOCUMENT_TITLE, title);
    const word = (title: string) => withMember("docx", "word/document.xml", withTitle(title));
    const slides = (title: string) => withMember("pptx", "ppt/slides/slide1.xml", withTitle(title));
    const sheet = (text: string) =>
      withMember("xlsx", "xl/worksheets/sheet1.xml", (xml) =>
        xml.replace(
          /<sheetData>.*<\/sheetData>/s,
          `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData>`,
        ),
      );
    for (const [from, make] of [
      ["docx", word],
      ["pptx", slides],
      ["xlsx", sheet],
    ] as const) {
      const [blank, drawn] = [await inkOf(from, await make("x")), await inkOf(from, await make("x🚀🥳✅"))];
      expect(drawn - blank, from).toBeGreaterThan(500);
    }
  });

  test.each([
    ["Georgia", /DejaVuSerifCondensed|Gelasio/],
    ["Verdana", /DejaVuSans\b/],
    ["Tahoma", /DejaVuSansCondensed/],
    ["Segoe UI", /NotoSansDisplay|Selawik/],
    ["Aptos", /Roboto/],
    ["Trebuchet MS", /Lato|FiraSans/],
    ["Comic Sans MS", /ComicNeue/],
    ["Helvetica Neue", /LiberationSans\b/],
    ["Roboto", /Roboto/],
    ["Lato", /Lato/],
    ["Open Sans", /OpenSans/],
    ["Playfair Display", /NotoSerifDisplay/],
  ])("replace %s with a font of a similar width", async (font, replacement) => {
    const fonts = await fontsOf(documentWith("Hamburgefonts", font));
    expect(fonts ?? replacement.source).toMatch(replacement);
  });

  test("are reported when they replace others, but not when they are the document's", async () => {
    const warned = async (font: string) =>
      (await convert(scratch.file(documentWith("Hamburgefonts", font)), ["fodt", "pdf"])).warnings;
    expect(await warned("Georgia")).toEqual([
      { code: "fonts_replaced", detail: "Missing fonts were replaced: Georgia." },
    ]);
    expect(await warned("Open Sans")).toEqual([]);
  });

  test("are reported for words in a group of a drawing", async () => {
    const label = (font: string) =>
      `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.graphics"><office:automatic-styles><style:style style:name="t" style:family="text"><style:text-properties fo:font-family="${font}"/></style:style></office:automatic-styles><office:body><office:drawing><draw:page><draw:g><draw:rect svg:x="1cm" svg:y="1cm" svg:width="6cm" svg:height="2cm"><text:p><text:span text:style-name="t">Harbour</text:span></text:p></draw:rect></draw:g></draw:page></office:drawing></office:body></office:document>`;
    const warned = async (font: string) =>
      (await convert(scratch.file(label(font)), ["odg", "pdf"])).warnings.map(({ detail }) => detail);
    expect(await warned("Georgia")).toEqual(["Missing fonts were replaced: Georgia."]);
    expect(await warned("Open Sans")).toEqual([]);
  });
});
