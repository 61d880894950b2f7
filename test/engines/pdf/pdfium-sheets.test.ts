import { readFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import { read as readWorkbook, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { typeset } from "../support/documents/typeset.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/** Tables from PDFs. The workbooks are read by SheetJS, which did not write them. */

const scratch = scratchFolder();
const convert = convertingBy("pdfium", scratch);

const sheetsOf = async (input: string) => {
  const { path, codes } = await convert(input, ["pdf", "xlsx"]);
  const { Sheets, SheetNames } = readWorkbook(readFileSync(path));
  const sheets = SheetNames.map((name) => ({
    name,
    rows: utils.sheet_to_json<unknown[]>(Sheets[name] ?? {}, { header: 1, defval: null }),
  }));
  return { sheets, codes };
};

const table = (rows: readonly (readonly string[])[], stroke = "none") =>
  `#table(columns: ${rows[0]?.length}, stroke: ${stroke}, inset: 6pt, ${rows
    .flat()
    .map((cell) => `[${cell}]`)
    .join(", ")})`;

test("types numbers and dates; text that only resembles them stays text", async () => {
  const rows = [
    ["Code", "Amount", "Number", "Day"],
    ["007", "-12.5", "12345678901234567890", "2024-02-29"],
    ["0815", "3", "1,234.50", "3/4"],
    ["12", "0.10", "5 %", "N/A"],
  ];
  const { sheets, codes } = await sheetsOf(scratch.file(typeset(table(rows, "0.5pt"))));
  expect(sheets).toEqual([
    {
      name: "Page 1 table 1",
      rows: [
        rows[0],
        ["007", -12.5, "12345678901234567890", 45_351],
        ["0815", 3, 1234.5, "3/4"],
        ["12", 0.1, 0.05, "N/A"],
      ],
    },
  ]);
  expect(codes).toEqual([]);
});

test("writes every table as a sheet, and warns about lost text around them", async () => {
  const one = [
    ["Animal", "Plant", "Stone"],
    ["ant", "beech", "chalk"],
    ["deer", "elm", "flint"],
  ];
  const two = [
    ["Ana", "Perú"],
    ["Łukasz", "Polska"],
    ["Ben", "Wales"],
  ];
  const { sheets, codes } = await sheetsOf(
    scratch.file(
      typeset(`${table(one, "0.5pt")}\n\nBetween them is a sentence of some length.\n\n${table(two, "0.5pt")}`),
    ),
  );
  expect(sheets.map(({ rows }) => rows)).toEqual([one, two]);
  expect(codes).toEqual(["text_dropped"]);
});

test("joins a table that continues over pages into one sheet, without repeated headers", async () => {
  const rows = Array.from({ length: 60 }, (_, index) => [`Name ${index + 1}`, `Port ${index * 7}`, String(index)]);
  const cells = rows.flat().map((cell) => `[${cell}]`);
  const source = `#set page(height: 400pt)\n#table(columns: 3, stroke: none, table.header([*Name*], [*Port*], [*Crew*]), ${cells.join(", ")})`;
  const { sheets } = await sheetsOf(scratch.file(typeset(source)));
  expect(sheets).toHaveLength(1);
  expect(sheets[0]?.rows).toEqual([
    ["Name", "Port", "Crew"],
    ...rows.map(([name, port], index) => [name, port, index]),
  ]);
});

test("writes each page as a sheet of its lines if there are no tables, with a warning", async () => {
  const { sheets, codes } = await sheetsOf(
    scratch.file(typeset("First line\n\nSecond line\n#pagebreak()\nThird line")),
  );
  expect(sheets).toEqual([
    { name: "Page 1", rows: [["First line"], ["Second line"]] },
    { name: "Page 2", rows: [["Third line"]] },
  ]);
  expect(codes).toEqual(["no_tables"]);
});

test("writes the sample's table as the expected CSV", async () => {
  const { parts = [] } = await convert(sampleOf("pdf"), ["pdf", "csv"]);
  expect(parts.map(({ name }) => name)).toEqual(["page-2-table-1"]);
  expect(parse(readFileSync(parts[0]?.path ?? ""))).toEqual([
    ["Name", "Country", "Crew"],
    ["Ana", "Perú", "12"],
    ["Łukasz", "Polska", "7"],
    ["李", "中国", "30"],
  ]);
});

test("writes each table as a separate CSV, with the requested delimiter and quotes where needed", async () => {
  const one = [
    ["A; B", "C"],
    ["say #quote[x]", "d"],
    ["e", "f"],
  ];
  const input = scratch.file(
    typeset(`#set quote(quotes: false)\n${table(one, "0.5pt")}\n\nA sentence in between.\n\n${table(one, "0.5pt")}`),
  );
  const { parts = [] } = await convert(input, ["pdf", "csv"], { delimiter: ";" });
  expect(parts.map(({ name }) => name)).toEqual(["page-1-table-1", "page-1-table-2"]);
  for (const { path } of parts) {
    expect(parse(readFileSync(path), { delimiter: ";" })[0]).toEqual(["A; B", "C"]);
  }
});

test.each(["xlsx", "csv"] as const)("rejects a PDF without text for %s", async (to) => {
  const document = await PDFDocument.create();
  document.addPage([100, 100]);
  const input = scratch.file(await document.save());
  expect(await codeOf(convert(input, ["pdf", to]))).toBe("unsupported_feature");
});
