import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../../functions/engines/archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../../../../functions/engines/archives/zip/writer.ts";
import { OLD_ROWS, SLIDE_TEXTS } from "../../support/documents/office.ts";
import { viewPdf } from "../../support/documents/pdf.ts";
import { viewSlides } from "../../support/documents/slides.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../../support/task.ts";
import { PYTHON, withPython } from "../../support/tools.ts";

const scratch = scratchFolder();
const convert = convertingBy("soffice", scratch);
const convertByRoute = convertingByRoute(scratch);

const CELLS =
  "import openpyxl,json,sys; print(json.dumps([list(r) for r in openpyxl.load_workbook(sys.argv[1]).active.values]))";

describe.skipIf(!isInstalled("soffice"))("LibreOffice reads old formats", () => {
  test.each(["sxc", "wk1", "slk"] as const)("%s: numbers stay numbers, letters stay letters", async (format) => {
    const { path } = await convert(sampleOf(format), [format, "xlsx"]);
    if (withPython("openpyxl")) {
      expect(JSON.parse(execFileSync(PYTHON, ["-c", CELLS, path], { encoding: "utf8" }))).toEqual(OLD_ROWS);
    }
    const csv = await convertByRoute(sampleOf(format), [format, "csv"]);
    expect(readFileSync(csv.output, "utf8")).toBe(OLD_ROWS.map((row) => `${row.join(",")}\n`).join(""));
  });

  test("SYLK in another encoding, which the option sets", async () => {
    const latin = readFileSync(sampleOf("slk"), "latin1");
    const cyrillic = Buffer.from(latin.replace("Zoë", "\u00c7\u00ee\u00ff"), "latin1");
    const { output } = await convertByRoute(scratch.file(cyrillic), ["slk", "csv"], { encoding: "windows-1251" });
    expect(readFileSync(output, "utf8")).toContain("\u0417\u043e\u044f");
  });

  test.each(["\u00ef\u00bb\u00bf", "\r\n  "])(
    "RTF after %j, which LibreOffice alone takes for text",
    async (before) => {
      const late = scratch.file(Buffer.concat([Buffer.from(before, "latin1"), readFileSync(sampleOf("rtf"))]));
      const { path } = await convert(late, ["rtf", "txt"]);
      expect(readFileSync(path, "utf8")).toContain("Überfahrt, café, naïve – 12 €");
      expect(readFileSync(path, "utf8")).not.toContain("rtf1");
    },
  );

  test("sxi: each slide with its text", async () => {
    const { path } = await convert(sampleOf("sxi"), ["sxi", "pptx"]);
    const { slides } = await viewSlides(path);
    expect(slides.map(({ paragraphs }) => paragraphs)).toEqual(SLIDE_TEXTS);
  });

  test("sxw: a PDF with its text", async () => {
    const { path } = await convert(sampleOf("sxw"), ["sxw", "pdf"]);
    expect((await viewPdf(path))[0]?.text).toContain("Überfahrt, café, naïve – 12 €");
  });
});

/** Two pictures in the text, which flows around one of them. */
const FLOATING = `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles>${["parallel", "run-through"].map((wrap) => `<style:style style:name="${wrap}" style:family="graphic"><style:graphic-properties style:wrap="${wrap}" style:horizontal-pos="from-left" style:horizontal-rel="paragraph" style:vertical-pos="from-top" style:vertical-rel="paragraph"/></style:style>`).join("")}</office:automatic-styles><office:body><office:text><text:p>${["parallel", "run-through"].map((wrap, index) => `<draw:frame draw:style-name="${wrap}" draw:name="${wrap}" text:anchor-type="paragraph" svg:x="${2 + 6 * index}cm" svg:y="1cm" svg:width="3cm" svg:height="2cm"><draw:image><office:binary-data>${readFileSync(sampleOf("png")).toString("base64")}</office:binary-data></draw:image></draw:frame>`).join("")}${"Boats leave at nine. ".repeat(40)}</text:p></office:text></office:body></office:document>`;

describe.skipIf(!isInstalled("soffice"))("pictures that float in a DOC", () => {
  const floating = async () =>
    scratch.file(readFileSync((await convert(scratch.file(FLOATING), ["fodt", "doc"])).path));

  test("are on the page of the PDF, with the text", async () => {
    const { path } = await convert(await floating(), ["doc", "pdf"]);
    const [page, ...others] = await viewPdf(path, { scale: 1 });
    expect(others).toEqual([]);
    expect(page?.text.match(/Boats leave at nine/g)?.length).toBeGreaterThan(30);
    const pixels = page?.pixels ?? Buffer.alloc(0);
    const colored = Array.from({ length: pixels.length / 3 }, (_, index) => {
      const [red = 0, green = 0, blue = 0] = pixels.subarray(3 * index, 3 * index + 3);
      return Math.max(red, green, blue) - Math.min(red, green, blue) > 60;
    }).filter(Boolean).length;
    // Two pictures of 85 by 57 points, of which the white quarter does not count.
    expect(colored).toBeGreaterThan(1.2 * 85 * 57 * 0.75);
  });

  test("float in the DOCX too", async () => {
    const { path } = await convert(await floating(), ["doc", "docx"]);
    const xml = await readZip(path, async (zip) => String(await zip.read("word/document.xml")));
    expect(xml.match(/<wp:anchor\b/g)).toHaveLength(2);
    expect(xml.match(/<pic:pic\b/g)).toHaveLength(2);
  });
});

describe("old office formats are detected by content", () => {
  test.each(["sxw", "sxc", "sxi", "wk1", "slk"] as const)("%s", (format) => {
    expect(detectFormat(readFileSync(sampleOf(format)))).toBe(format);
  });

  test("a drawing of OpenOffice.org 1.0, as an OpenDocument drawing", async () => {
    const drawing = async (member: ZipMember): Promise<Buffer> => {
      const path = scratch.fresh();
      await writeZip(path, [member]);
      return readFileSync(path);
    };
    const typed = await drawing({ path: "mimetype", bytes: "application/vnd.sun.xml.draw", stored: true });
    expect(detectFormat(typed)).toBe("odg");
    // The first versions wrote no such member.
    const untyped = await drawing({ path: "content.xml", bytes: "<office:document-content/>" });
    expect(detectFormat(untyped, { filename: "plan.sxd" })).toBe("odg");
  });

  test.each<[FormatId | undefined, string, Buffer]>([
    ["csv", "a table that starts like SYLK", Buffer.from("ID;Price\r\nB;3\r\n")],
    ["slk", "SYLK with the name of a table", Buffer.from("ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K1\r\nE\r\n")],
  ])("%s: %s", (format, _, bytes) => {
    expect(detectFormat(bytes, { filename: "rows.csv" })).toBe(format);
  });

  test("Works 2000 and later, by its first stream", () => {
    const bytes = Buffer.alloc(1_024);
    bytes.write("d0cf11e0a1b11ae1", "hex");
    bytes.write("CHNKWKS", 512);
    expect(detectFormat(bytes)).toBe("wps");
  });
});
