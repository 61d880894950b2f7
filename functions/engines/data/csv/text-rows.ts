import { JobError } from "../../../domain/errors.ts";
import { dialectIn } from "./dialect.ts";
import { type CsvFaults, readRows } from "./reader.ts";

/**
 * Reads a CSV in memory. Blank lines are skipped.
 *
 * @param given the delimiter, if the client specified one; otherwise it is detected
 * @returns the rows, including the header; an empty cell is an empty text
 * @throws JobError `source_corrupt` when a quote is never closed; `unsupported_feature` for too many cells in a row
 */
export const rowsOfText = (text: string, given: string | undefined): { rows: string[][]; faults: CsvFaults } => {
  const { delimiter, skipped } = dialectIn(text, given);
  const { rows, faults, unclosed } = readRows(text.slice(skipped), delimiter);
  if (unclosed > 0) {
    throw new JobError("source_corrupt", "The CSV has a quote that is never closed.");
  }
  const filled = rows.filter((row) => row.length > 1 || row[0] !== null);
  return { rows: filled.map((row) => row.map((cell) => cell ?? "")), faults };
};
