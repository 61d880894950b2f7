import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { rowsOfText } from "../../data/csv/text-rows.ts";
import { csvText } from "../../data/csv/writer.ts";

/** A calendar entry or a person as a flat record; a list has the values of a repeated field. */
export type CalendarRecord = Readonly<Record<string, string | readonly string[]>>;

/** Entries of one calendar, or contacts of one file. */
const RECORDS_MAX = 200_000;

/**
 * @returns the records of a table, whose first row names the fields
 * @throws JobError `source_corrupt`, `output_too_large`
 */
const recordsOfCsv = (text: string, delimiter: string | undefined): CalendarRecord[] => {
  const { rows, faults } = rowsOfText(text, delimiter);
  if (faults.strayQuotes > 0) {
    throw new JobError("source_corrupt", "The CSV has a quote in an invalid position.");
  }
  const [header = [], ...body] = rows;
  return limited(
    body.map((row) => Object.fromEntries(header.slice(0, row.length).map((name, index) => [name, row[index] ?? ""]))),
  );
};

/** @returns the records of an array of objects, with scalars as text @throws JobError `source_corrupt` */
const recordsOfJson = (text: string): CalendarRecord[] => {
  const value: unknown = parsed(text);
  const rows = Array.isArray(value) ? value : [value];
  if (!rows.every((row): row is Record<string, unknown> => typeof row === "object" && row !== null)) {
    throw new JobError("unsupported_feature", "The JSON is not an array of objects.");
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
    throw new JobError("source_corrupt", "Invalid JSON.", { cause: error });
  }
};

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

export const limited = <T>(records: T[]): T[] => {
  if (records.length > RECORDS_MAX) {
    throw new JobError("output_too_large", `There are ${records.length} entries; the maximum is ${RECORDS_MAX}.`);
  }
  return records;
};

/** @returns the records as JSON, with booleans for fields that are nothing else */
export const jsonOf = (records: readonly CalendarRecord[], indent: number): string => {
  const values = records.map(({ all_day: allDay, ...record }) =>
    allDay === undefined ? record : { ...record, all_day: allDay === "true" },
  );
  return `${JSON.stringify(values, undefined, indent)}\n`;
};

/** @returns the records as a table: a list uses as many columns as the longest one has values (`email`, `email_2`) */
export const csvOf = (
  records: readonly CalendarRecord[],
  fields: readonly string[],
  delimiter: string = DELIMITER,
): string => {
  const columns = fields.flatMap((field) => {
    const most = records.reduce((max, record) => Math.max(max, valuesOf(record, field).length), 1);
    return Array.from({ length: most }, (_, index) => ({ field, index }));
  });
  const used = columns.filter(({ field, index }) => records.some((record) => valuesOf(record, field)[index]));
  const head = used.map(({ field, index }) => (index === 0 ? field : `${field}_${index + 1}`));
  const rows = records.map((record) => used.map(({ field, index }) => valuesOf(record, field)[index] || null));
  return csvText([head, ...rows], delimiter, "\r\n");
};

export const valuesOf = (record: CalendarRecord, field: string): readonly string[] => {
  const value = record[field] ?? [];
  return typeof value === "string" ? [value] : value;
};

/**
 * Reads a record with our field names or those of programs that people export from.
 *
 * @param aliases names of each field, in lower case, after our name for it; `*` matches a number
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

/** The formats with records, and their parsers. */
export const readers: Partial<Record<FormatId, (text: string, delimiter: string | undefined) => CalendarRecord[]>> = {
  csv: recordsOfCsv,
  json: recordsOfJson,
};
