import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type CellObject, utils, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import { readXlsx } from "hucre/xlsx";
import { describe, expect, test } from "vitest";
import { sheetNames } from "../../../functions/engines/data/sheets/sheet-names.ts";
import { withMember } from "../support/attacks/attack.ts";
import { codeOf } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { PYTHON, withPython } from "../support/tools.ts";

const scratch = scratchFolder();
const convert = convertingBy("sheets", scratch);

const book = (sheets: Readonly<Record<string, WorkSheet>>, more: Partial<WorkBook> = {}): string =>
  scratch.file(
    write({ SheetNames: Object.keys(sheets), Sheets: { ...sheets }, ...more }, { type: "buffer", bookType: "xlsx" }),
  );

const sheet = (...rows: (CellObject | string | number | boolean | null)[][]): WorkSheet => utils.aoa_to_sheet(rows);
const text = async (...task: Parameters<typeof convert>): Promise<string> =>
  readFileSync((await convert(...task)).path, "utf8");

describe("a cell is written by its value, not its format", () => {
  const cell = (v: number, z: string): CellObject => ({ t: "n", v, z });
  const cases: readonly [string, CellObject, string][] = [
    ["a percentage", cell(0.255, "0%"), "0.255"],
    ["an amount of money", cell(1234.5, '"€"#,##0.00'), "1234.5"],
    ["a date", cell(45351, "d/m/yy"), "2024-02-29"],
    ["a date with a time", cell(45351.5, "d/m/yy h:mm"), "2024-02-29T12:00:00"],
    ["a date with a fraction, shown without", cell(45351.25, "d/m/yy"), "2024-02-29T06:00:00"],
    ["a date with milliseconds", cell(45351 + 45_000_250 / 86_400_000, "d/m/yy h:mm"), "2024-02-29T12:30:00.250"],
    ["the end of a day, but for the error of its sum", cell(45351.99999999999, "d/m/yy h:mm"), "2024-03-01T00:00:00"],
    ["a time with milliseconds", cell(1_002 / 86_400_000, "h:mm"), "00:00:01.002"],
    ["a time", cell(0.5625, "h:mm AM/PM"), "13:30:00"],
    ["a duration", cell(1.5, "[h]:mm:ss"), "36:00:00"],
    ["an error", { t: "e", v: 42 }, "#N/A"],
    ["a boolean", { t: "b", v: true }, "true"],
    ["a formula, by its result", { t: "n", v: 3, f: "1+2" }, "3"],
    ["a number with all its digits", cell(0.1 + 0.2, "0.0"), "0.30000000000000004"],
    ["a text that looks like a number", { t: "s", v: "007" }, "007"],
  ];
  test.each(cases)("%s", async (_, value, expected) => {
    expect(await text(book({ S: sheet([value]) }), ["xlsx", "csv"])).toBe(`${expected}\n`);
  });
});

test("a time in an ODS keeps its milliseconds, which SheetJS cuts", async () => {
  const style =
    '<number:time-style style:name="t"><number:hours/><number:text>:</number:text><number:minutes/></number:time-style>' +
    '<style:style style:name="c" style:family="table-cell" style:data-style-name="t"/>';
  const cell =
    '<table:table-cell table:style-name="c" office:value-type="time" office:time-value="PT01H02M03.25S"><text:p>01:02</text:p></table:table-cell>';
  const path = scratch.file(
    await withMember(
      "ods",
      "content.xml",
      () =>
        `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.3"><office:automatic-styles>${style}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S"><table:table-row>${cell}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    ),
  );
  expect(await text(path, ["ods", "csv"])).toBe("01:02:03.250\n");
});

test.each(["xlsx", "xls", "xlsb", "ods"] as const)("dates in the 1904 system are the same dates in %s", async (to) => {
  const path = book(
    { S: sheet([{ t: "n", v: 43889, z: "yyyy-mm-dd" }]) },
    { Workbook: { WBProps: { date1904: true } } },
  );
  const made = to === "xlsx" ? path : (await convert(path, ["xlsx", to])).path;
  expect(await text(made, [to, "csv"])).toBe("2024-02-29\n");
});

test.each(["&#128512;", "&#x1F600;", "&#x0001f600;"])("an emoji that is written as %s stays one", async (reference) => {
  const bytes = await withMember("xlsx", "xl/sharedStrings.xml", (xml) =>
    xml.replace(/(<t[^>]*>)/, `$1${reference} &#233; &#x110000; `),
  );
  expect(await text(scratch.file(bytes), ["xlsx", "csv"])).toContain("\u{1f600} é ");
});

describe("sheets", () => {
  const path = () =>
    book(
      { One: sheet(["a"], [1]), Empty: {}, "Två 2": sheet(["b"], [2], [3]) },
      { Workbook: { Sheets: [{ name: "One" }, { name: "Empty" }, { name: "Två 2", Hidden: 1 }] } },
    );

  test("become one CSV each, with their names; hidden ones cause a warning", async () => {
    const { parts, codes } = await convert(path(), ["xlsx", "csv"]);
    expect(parts?.map((part) => [part.name, readFileSync(part.path, "utf8")])).toEqual([
      ["One", "a\n1\n"],
      ["Två 2", "b\n2\n3\n"],
    ]);
    expect(codes).toEqual(["hidden_sheets"]);
  });

  test("become members of the JSON", async () => {
    expect(JSON.parse(await text(path(), ["xlsx", "json"]))).toEqual({
      One: [{ a: 1 }],
      "Två 2": [{ b: 2 }, { b: 3 }],
    });
  });

  test.each([1, "One", "one"])("only the requested sheet is converted: %s", async (name) => {
    expect(await text(path(), ["xlsx", "csv"], { sheet: name })).toBe("a\n1\n");
    const { sheets } = await readXlsx(
      readFileSync(
        (await convert((await convert(path(), ["xlsx", "ods"], { sheet: name })).path, ["ods", "xlsx"])).path,
      ),
    );
    expect(sheets.map((one) => one.name)).toEqual(["One"]);
  });

  test("a missing sheet is rejected", async () => {
    expect(await codeOf(convert(path(), ["xlsx", "csv"], { sheet: "Three" }))).toBe("unsupported_feature");
    expect(await codeOf(convert(path(), ["xlsx", "csv"], { sheet: 9 }))).toBe("unsupported_feature");
  });
});

describe("a sheet as records", () => {
  test("starts at its table and allows gaps in the header", async () => {
    const made = sheet(
      [null, null, null],
      [null, "a", null, "a"],
      [null, 1, "x", true],
      [null, null, null],
      [null, null, null, "2"],
    );
    expect(JSON.parse(await text(book({ S: made }), ["xlsx", "json"]))).toEqual([
      { a: 1, column2: "x", a_2: true },
      { a: null, column2: null, a_2: "2" },
    ]);
  });

  test("without a header has all rows", async () => {
    expect(JSON.parse(await text(book({ S: sheet([1, 2]) }), ["xlsx", "json"], { header: false }))).toEqual([
      { column1: 1, column2: 2 },
    ]);
  });
});

test("merged cells stay merged in HTML and in another spreadsheet, and formulas stay in ODS", async () => {
  const made = sheet(["<a>", null], [1, { t: "n", v: 2, f: "A2*2" }]);
  made["!merges"] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } }];
  const path = book({ S: made });
  expect(await text(path, ["xlsx", "html"])).toContain('<tr><td rowspan="1" colspan="2">&lt;a&gt;</td></tr>');
  const back = (await convert((await convert(path, ["xlsx", "ods"])).path, ["ods", "xlsx"])).path;
  const [first] = (await readXlsx(readFileSync(back))).sheets;
  expect(first?.merges).toMatchObject([{ startRow: 0, startCol: 0, endRow: 0, endCol: 1 }]);
  expect(first?.cells?.get("1,1")?.formula).toBe("A2*2");
});

describe("a CSV as a spreadsheet", () => {
  const csv =
    'code,big,formula,day,at,price,text\n007,12345678901234567890,=1+1,2024-02-29,2024-02-29 13:45:10,1.5,"_x0041_ \u0001\n<b>"\n010,1,@SUM(A1),1850-01-01,2024-01-01 00:00:00,2,x\n';

  test("keeps texts, and has real dates and numbers", async () => {
    const { path } = await convert(scratch.file(csv), ["csv", "xlsx"]);
    const [first] = (await readXlsx(readFileSync(path))).sheets;
    expect(first?.rows[1]).toEqual([
      "007",
      "12345678901234567890",
      "=1+1",
      new Date("2024-02-29"),
      new Date("2024-02-29T13:45:10Z"),
      1.5,
      "_x0041_ \u0001\n<b>",
    ]);
    expect(first?.rows[2]?.slice(2, 4)).toEqual(["@SUM(A1)", "1850-01-01"]);
    if (withPython("openpyxl")) {
      const program =
        "import openpyxl,sys; print([[c.data_type for c in r] for r in openpyxl.load_workbook(sys.argv[1]).active.iter_rows(min_row=2)])";
      writeFileSync(`${path}.xlsx`, readFileSync(path));
      expect(String(execFileSync(PYTHON, ["-c", program, `${path}.xlsx`]))).toBe(
        "[['s', 's', 's', 'd', 'd', 'n', 's'], ['s', 's', 's', 's', 'd', 'n', 's']]\n",
      );
    }
  });

  test.each(["xls", "xlsb", "ods"] as const)("has no formulas in %s", async (to) => {
    const { path } = await convert(scratch.file("a,b\n=1+1,007\n"), ["csv", to]);
    expect(await text(path, [to, "csv"])).toBe("a,b\n=1+1,007\n");
  });

  test("continues in another sheet when one is full", async () => {
    const rows = 1_048_576;
    const { path, codes } = await convert(scratch.file(`n\n${"1\n".repeat(rows)}`), ["csv", "xlsx"]);
    expect(codes).toEqual(["sheets_split"]);
    expect(
      await convert(path, ["xlsx", "json"], { sheet: 2 }).then((made) => JSON.parse(readFileSync(made.path, "utf8"))),
    ).toEqual([{ n: 1 }]);
  });

  test("truncates a text that exceeds a cell, with a warning", async () => {
    const { codes } = await convert(scratch.file(`a\n${"x".repeat(40_000)}\n`), ["csv", "xlsx"]);
    expect(codes).toEqual(["cells_truncated"]);
  });

  test.each([
    ["xls", 300],
    ["xlsx", 16_385],
  ] as const)("%s with %d columns is too large", async (to, columns) => {
    expect(await codeOf(convert(scratch.file(`${"a,".repeat(columns - 1)}a\n`), ["csv", to]))).toBe("output_too_large");
  });

  test("with more cells than fit in memory is too large", async () => {
    expect(await codeOf(convert(scratch.file("a,b\n1,2\n".repeat(31_000)), ["csv", "xls"]))).toBe("output_too_large");
  });
});

test("tables of a JSON become sheets", async () => {
  const { path } = await convert(scratch.file('{"a/b":[{"x":1}],"A:B":[{"y":null,"z":"t"}]}'), ["json", "xlsx"]);
  const { sheets } = await readXlsx(readFileSync(path));
  expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([
    ["a_b", [["x"], [1]]],
    [
      "A_B 2",
      [
        ["y", "z"],
        [null, "t"],
      ],
    ],
  ]);
});

test("sheet names follow the rules of Excel", () => {
  expect(sheetNames(["", "a".repeat(40), "A".repeat(40), "[x]:*?/\\", "'q'"])).toEqual([
    "Sheet1",
    "a".repeat(31),
    `${"A".repeat(29)} 2`,
    "_x______",
    "q",
  ]);
});

test("a sheet with a name that Excel does not allow gets a valid one", async () => {
  const fods = readFileSync(fixture("sample.fods"), "utf8").replace(
    'table:name="People"',
    `table:name="a/b: ${"x".repeat(40)}"`,
  );
  const { path } = await convert(scratch.file(fods), ["fods", "xlsx"]);
  expect((await readXlsx(readFileSync(path))).sheets.map(({ name }) => name)).toEqual([`a_b_ ${"x".repeat(26)}`]);
});

describe("a CSV with the notation of its country", () => {
  const csv = (text: string) => scratch.file(text);
  const cases: readonly [why: string, from: "csv" | "tsv", source: string, expected: string][] = [
    [
      "semicolons",
      "csv",
      "price;sum;day;time\n1.234,50;1.000;05.01.2024;05.01.2024 9:30\n-0,99;2.500;31.12.2023;31.12.2023 23:59:59\n",
      "price,sum,day,time\n1234.5,1000,2024-01-05,2024-01-05T09:30:00\n-0.99,2500,2023-12-31,2023-12-31T23:59:59\n",
    ],
    ["tabs", "tsv", "price\tday\n12,5\t13/04/2024\n7\t03/04/2024\n", "price,day\n12.5,2024-04-13\n7,2024-04-03\n"],
    ["only numbers", "csv", "1,5;2,25\n3,5;4,75\n", "1.5,2.25\n3.5,4.75\n"],
    [
      "decimal points",
      "csv",
      "a;b;c\n1.234;x;2024-01-05\n12.5;y;2024-01-06\n",
      "a,b,c\n1.234,x,2024-01-05\n12.5,y,2024-01-06\n",
    ],
    [
      "commas and dates by month",
      "csv",
      "a,day\n1.5,12/31/2024\n2.5,01/02/2024\n",
      "a,day\n1.5,2024-12-31\n2.5,2024-01-02\n",
    ],
    ["words among its numbers", "csv", "a;b\n1,5;x\n-;y\n", "a,b\n1.5,x\n-,y\n"],
  ];
  test.each(cases)("with %s has numbers and dates in a workbook", async (_, from, source, expected) => {
    const header = source.startsWith("1,5") ? { header: false } : {};
    for (const to of ["xlsx", "ods"] as const) {
      const { path } = await convert(csv(source), [from, to], header);
      expect(await text(path, [to, "csv"])).toBe(expected);
    }
  });

  test.each([
    ["codes with leading zeros", "a;b\n007;1,5\n12;2,5\n", "007"],
    ["grouping that may be decimals", "a;b\n1,234;x\n2,345;y\n", "1,234"],
    ["numbers in two notations", "a;b\n1,5;x\n2.5;y\n", "1,5"],
    ["dates whose day and month may be swapped", "a;b\n03/04/2024;x\n05/06/2024;y\n", "03/04/2024"],
    ["days that do not exist", "a;b\n31.04.2024;x\n01.05.2024;y\n", "31.04.2024"],
  ])("keeps %s as texts", async (_, source, kept) => {
    const { path } = await convert(csv(source), ["csv", "xlsx"]);
    const workbook = await readXlsx(readFileSync(path));
    expect(workbook.sheets[0]?.rows[1]?.[0]).toBe(kept);
  });
});
