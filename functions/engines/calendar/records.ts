import { parse } from "csv-parse/sync";
import { JobError } from "../../domain/errors.ts";
import type { FormatId } from "../../domain/formats.ts";

/** An entry of a calendar or a person, as a flat record; a list has several values of one field. */
export type CalendarRecord = Readonly<Record<string, string | readonly string[]>>;

/** Entries of one calendar, or contacts of one file. */
const RECORDS_MAX = 200_000;

/**
 * @returns the records of a table: its first row names the fields
 * @throws JobError `source_corrupt`, `output_too_large`
 */
const recordsOfCsv = (text: string, delimiter: string | undefined): CalendarRecord[] => {
  try {
    const rows: Record<string, string>[] = parse(text, {
      columns: true,
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      delimiter: delimiter ?? likelyDelimiter(text),
    });
    return limited(rows);
  } catch (error) {
    throw error instanceof JobError
      ? error
      : new JobError("source_corrupt", "The table could not be read.", { cause: error });
  }
};

const likelyDelimiter = (text: string): string => {
  const [head = ""] = text.split(/\r?\n/, 1);
  const counts = [",", ";", "\t", "|"].map((mark) => ({ mark, count: head.split(mark).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.mark ?? ",";
};

/** @returns the records of an array of objects; numbers and the like as texts @throws JobError `source_corrupt` */
const recordsOfJson = (text: string): CalendarRecord[] => {
  const value: unknown = parsed(text);
  const rows = Array.isArray(value) ? value : [value];
  if (!rows.every((row): row is Record<string, unknown> => typeof row === "object" && row !== null)) {
    throw new JobError("unsupported_feature", "The JSON is no array of objects.");
  }
  return limited(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, field]) => [name, Array.isArray(field) ? field.map(textOf) : textOf(field)]),
      ),
    ),
  );
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new JobError("source_corrupt", "The JSON is not valid.", { cause: error });
  }
};

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

export const limited = <T>(records: T[]): T[] => {
  if (records.length > RECORDS_MAX) {
    throw new JobError("output_too_large", `There are ${records.length} entries; at most ${RECORDS_MAX} are allowed.`);
  }
  return records;
};

/** @returns the records as a table: a list takes as many columns as the longest has values (`email`, `email_2`) */
export const csvOf = (records: readonly CalendarRecord[], fields: readonly string[], delimiter = ","): string => {
  const columns = fields.flatMap((field) => {
    const most = records.reduce((max, record) => Math.max(max, valuesOf(record, field).length), 1);
    return Array.from({ length: most }, (_, index) => ({ field, index }));
  });
  const used = columns.filter(({ field, index }) => records.some((record) => valuesOf(record, field)[index]));
  const head = used.map(({ field, index }) => (index === 0 ? field : `${field}_${index + 1}`));
  const rows = records.map((record) => used.map(({ field, index }) => valuesOf(record, field)[index] ?? ""));
  return [head, ...rows].map((row) => `${row.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`).join("");
};

export const valuesOf = (record: CalendarRecord, field: string): readonly string[] => {
  const value = record[field] ?? [];
  return typeof value === "string" ? [value] : value;
};

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) || /^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/**
 * Reads a record whatever its fields are called: in our words, or in those of the programs that people export from.
 *
 * @param aliases the names of a field, lower-case, the first of them ours; `*` stands for a number
 */
export const fieldReader = (aliases: Readonly<Record<string, readonly string[]>>) => {
  const byAlias = new Map(
    Object.entries(aliases).flatMap(([field, names]) => [field, ...names].map((name) => [name, field] as const)),
  );
  return (record: CalendarRecord): CalendarRecord => {
    const found: Record<string, string[]> = {};
    for (const [name, value] of Object.entries(record)) {
      const plain = name.trim().toLowerCase();
      const field = byAlias.get(plain) ?? byAlias.get(plain.replace(/_\d+$/, "").replaceAll(/\d+/g, "*"));
      const values = (typeof value === "string" ? [value] : value).filter((text) => text !== "");
      if (field !== undefined && values.length > 0) {
        found[field] = [...(found[field] ?? []), ...values];
      }
    }
    return found;
  };
};

/** The formats that hold records, and how they are read. */
export const readers: Partial<Record<FormatId, (text: string, delimiter: string | undefined) => CalendarRecord[]>> = {
  csv: recordsOfCsv,
  json: recordsOfJson,
};
