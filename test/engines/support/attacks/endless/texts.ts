import { type Attack, attack, repeated, sample, withMember } from "../attack.ts";

/** Tables, structured data, documents and calendars that require endless work. */

export const texts: readonly Attack[] = [
  attack("csv", ["xlsx", "json", "html", "parquet"], "one row of 5 MB of commas", () => ",".repeat(5_000_000)),
  attack("csv", ["xlsx", "json", "parquet"], "an unclosed quote", () => `a,b\n"${"x\n".repeat(2_000_000)}`),
  attack(
    "json",
    ["csv", "xlsx", "sqlite", "parquet"],
    "a unique key in each record",
    () => `[${repeated((n) => `{"k${n}":1}${n < 30_000 ? "," : ""}`, 30_000)}]`,
  ),
  attack(
    "json",
    ["xml", "yaml", "toml", "plist"],
    "a million empty names",
    () => `{${repeated((n) => `"${n}":{}${n < 300_000 ? "," : ""}`, 300_000)}}`,
  ),
  attack("xml", ["json"], "100,000 attributes", () => `<a ${repeated((n) => `a${n}="" `, 100_000)}/>`),
  attack("xlsx", ["csv", "json", "html", "ods"], "a cell in the last row and column", () =>
    withMember(
      "xlsx",
      "xl/worksheets/sheet1.xml",
      () =>
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
    ),
  ),
  attack("xlsx", ["csv", "html", "xls"], "an enormous merged range", () =>
    withMember("xlsx", "xl/worksheets/sheet1.xml", (text) =>
      text.replace(
        "</sheetData>",
        `</sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(1_000)}</mergeCells>`,
      ),
    ),
  ),
  attack("ods", ["csv", "json", "html"], "a repeated cell", () =>
    withMember("ods", "content.xml", (text) =>
      text.replace(
        "<table:table-row",
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row><table:table-row',
      ),
    ),
  ),
  attack("fods", ["csv", "xlsx", "pdf"], "a repeated cell", () =>
    String(sample("fods")).replace(
      "<table:table-row",
      '<table:table-row table:number-rows-repeated="1000000000"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="1000000000"><text:p>1</text:p></table:table-cell></table:table-row><table:table-row',
    ),
  ),
  attack(
    "html",
    ["docx", "md", "txt"],
    "a table with a million columns",
    () => `<table><tr>${'<td colspan="1000" rowspan="65534">x'.repeat(1_000)}<tr><td>y</table>`,
  ),
  attack(
    "html",
    ["docx"],
    "a table with half a million cells",
    () => `<table>${"<tr><td>x<td>y<td>z<td>a<td>b".repeat(100_000)}</table>`,
  ),
  attack(
    "md",
    ["html"],
    "a table with many columns",
    () => `${"|a".repeat(30_000)}\n${"|-".repeat(30_000)}\n${"|\n".repeat(3_000)}`,
  ),
  attack(
    "ics",
    ["json", "csv"],
    "an event every second, forever",
    () =>
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20200101T000000Z\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
  ),
  attack(
    "srt",
    ["vtt", "json"],
    "a cue of unlimited length",
    () => `1\n00:00:01,000 --> 99999999999:00:00,000\n${"x".repeat(5_000_000)}\n`,
  ),
  attack("txt", ["docx"], "one line of 3 MB", () => "x".repeat(3_000_000)),
  attack("txt", ["docx"], "a million lines", () => "x\n".repeat(1_000_000)),
  attack("html", ["md", "docx", "epub"], "a picture 10,000 times", () =>
    `<img src="data:image/png;base64,${sample("png").toString("base64")}">`.repeat(300),
  ),
];
