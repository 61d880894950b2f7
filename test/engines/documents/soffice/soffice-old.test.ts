import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { OLD_ROWS, SLIDE_TEXTS } from "../../support/documents/office.ts";
import { viewPdf } from "../../support/documents/pdf.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { viewSlides } from "../../support/documents/slides.ts";
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

describe("old office formats are detected by content", () => {
  test.each(["sxw", "sxc", "sxi", "wk1", "slk"] as const)("%s", (format) => {
    expect(detectFormat(readFileSync(sampleOf(format)))).toBe(format);
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
