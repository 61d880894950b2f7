import type { CsvCell } from "./csv-reader.ts";

/** @returns rows as text: a cell in quotes where it needs them or is the empty text, which nothing at all is not */
export const csvText = (rows: Iterable<readonly CsvCell[]>, delimiter: string): string => {
  const odd = delimiter === "\t" ? /["\t\r\n]/ : new RegExp(`["${delimiter}\\r\\n]`);
  const cell = (value: CsvCell | undefined): string => {
    if (value === null || value === undefined) {
      return "";
    }
    return value === "" || odd.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  };
  let text = "";
  for (const row of rows) {
    for (let index = 0; index < row.length; index += 1) {
      text += index === 0 ? cell(row[index]) : delimiter + cell(row[index]);
    }
    text += "\n";
  }
  return text;
};
