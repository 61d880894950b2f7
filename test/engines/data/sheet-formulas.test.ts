import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { HelperNeeded } from "../../../functions/engines/core/engine.ts";
import { withMember, withMembers } from "../support/attacks/attack.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("sheets", scratch);

/** A workbook as openpyxl writes it: one formula has no result, one has an empty text, one has a wrong stored result. */
const workbook = async (): Promise<string> =>
  scratch.file(
    await withMember("xlsx", "xl/worksheets/sheet1.xml", (xml) =>
      xml.replace(
        /<sheetData>.*<\/sheetData>/s,
        `<sheetData><row r="1"><c r="A1"><v>2</v></c><c r="B1"><v>9.5</v></c><c r="C1"><f>A1*B1</f><v></v></c><c r="D1" t="str"><f>IF(A1=2,"","x")</f><v></v></c><c r="E1"><f>A1+1</f><v>41</v></c><c r="F1"><f>UPPER("ab")&amp;C1</f></c></row></sheetData>`,
      ),
    ),
  );

const FODS = `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="One"><table:table-row><table:table-cell office:value-type="float" office:value="20"><text:p>20</text:p></table:table-cell><table:table-cell table:formula="of:=[.A1]+1"/></table:table-row></table:table></office:spreadsheet></office:body></office:document>`;

describe("formulas without a stored result", () => {
  test.skipIf(!isInstalled("soffice"))("are computed; others keep their stored results", async () => {
    const { path, codes } = await convert(await workbook(), ["xlsx", "csv"], {}, "here");
    expect(readFileSync(path, "utf8")).toBe("2,9.5,19,,41,AB19\n");
    expect(codes).toEqual([]);
  });

  test.skipIf(!isInstalled("soffice"))("are computed in OpenDocument, for JSON", async () => {
    const { path } = await convert(scratch.file(FODS), ["fods", "json"], { header: false }, "here");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual([{ column1: 20, column2: 21 }]);
  });

  test("move the job to the lane with LibreOffice", async () => {
    await expect(convert(await workbook(), ["xlsx", "csv"], {}, "elsewhere")).rejects.toThrow(HelperNeeded);
  });

  test("are reported without LibreOffice", async () => {
    const { path, codes } = await convert(await workbook(), ["xlsx", "csv"]);
    expect(readFileSync(path, "utf8")).toBe("2,9.5,,,41\n");
    expect(codes).toEqual(["formulas_not_computed"]);
  });
});

const CELLS = [
  ["0%", "0.5785942", "0.5785942", "58%"],
  ['#,##0.00\\ "€"', "1234.5", "1234.5", "1,234.50 €"],
  ["yyyy\\-mm\\-dd", "45351", "2024-02-29", "2024-02-29"],
  ["d mmm yyyy", "45351", "2024-02-29", "29 Feb 2024"],
  ["General", "0.3333333333333333", "0.3333333333333333", "0.333333333"],
] as const;

/** A workbook with a row of these cells, and one with the short date format of the locale. */
const formatted = async (): Promise<string> => {
  const formats = CELLS.map(
    ([format], index) => `<numFmt numFmtId="${164 + index}" formatCode="${format.replaceAll('"', "&quot;")}"/>`,
  );
  const styles = [...CELLS.map((_, index) => 164 + index), 14].map(
    (id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>`,
  );
  const cells = [...CELLS.map(([, value]) => value), "45351"].map(
    (value, index) => `<c s="${index}"><v>${value}</v></c>`,
  );
  return scratch.file(
    await withMembers("xlsx", [
      {
        name: "xl/styles.xml",
        bytes: `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts>${formats.join("")}</numFmts><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellXfs>${styles.join("")}</cellXfs></styleSheet>`,
      },
      {
        name: "xl/worksheets/sheet1.xml",
        bytes: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row>${cells.join("")}</row></sheetData></worksheet>`,
      },
    ]),
  );
};

describe("the option `values`", () => {
  const rowOf = async (options: Options) =>
    Object.values(
      JSON.parse(
        readFileSync((await convert(await formatted(), ["xlsx", "json"], { header: false, ...options })).path, "utf8"),
      )[0],
    );

  test("writes stored values by default: numbers, and dates in ISO 8601", async () => {
    const stored = [...CELLS.map(([, , raw]) => (/^[\d.]+$/.test(raw) ? Number(raw) : raw)), "2024-02-29"];
    expect(await rowOf({})).toEqual(stored);
    expect(await rowOf({ values: "raw" })).toEqual(stored);
  });

  test("writes the text that cells display with `shown`", async () => {
    expect(await rowOf({ values: "shown" })).toEqual([...CELLS.map(([, , , shown]) => shown), "2/29/2024"]);
    const { path } = await convert(await formatted(), ["xlsx", "csv"], { values: "shown" });
    expect(readFileSync(path, "utf8")).toBe('58%,"1,234.50 €",2024-02-29,29 Feb 2024,0.333333333,2/29/2024\n');
  });
});
