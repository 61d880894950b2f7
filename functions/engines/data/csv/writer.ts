import type { CsvCell } from "./reader.ts";

/** @returns rows as text. A cell is quoted when it needs to be, and when it is an empty text, as opposed to null. */
export const csvText = (rows: Iterable<readonly CsvCell[]>, delimiter: string, lineEnd = "\n"): string => {
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
    text += lineEnd;
  }
  return text;
};
