import { TABLE_COLUMNS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { kindOf, nothingSeen, type Seen, see } from "../tables/column-kinds.ts";
import {
  kindOfLocal,
  type LocalSeen,
  type Notation,
  notationsOf,
  nothingLocal,
  seeLocal,
} from "../tables/local-values.ts";
import { columnNames } from "../tables/names.ts";
import type { Column } from "../tables/table.ts";
import type { BytesRead } from "../text/chunks.ts";
import { type CsvFaults, type CsvRow, type Dialect, readCsv } from "./reader.ts";

/** Result of a pass over all rows of a CSV. */
export interface CsvSurvey {
  /** As many as the longest row has cells. */
  readonly columns: readonly Column[];
  /** Rows below the header. */
  readonly rows: number;
  readonly warnings: readonly Warning[];
}

interface Survey {
  /** Whether the first row names the columns. */
  readonly header: boolean;
  /** Whether columns are checked for decimal commas and dates such as `05.01.2024`. @default false */
  readonly local?: boolean;
  readonly bytesRead?: BytesRead | undefined;
}

/** Examines every row of a CSV: the names and kinds of its columns, and irregular rows. */
export const surveyCsv = async (
  path: string,
  dialect: Dialect,
  { header, local = false, bytesRead }: Survey,
): Promise<CsvSurvey> => {
  const faults: CsvFaults = { strayQuotes: 0 };
  const seen: ColumnSeen[] = [];
  const widths = new Map<number, number>();
  let first: CsvRow | undefined;
  let rows = 0;
  for await (const batch of readCsv(path, dialect, { faults, bytesRead })) {
    for (const row of batch) {
      widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
      if (first === undefined) {
        first = row;
        if (header) {
          continue;
        }
      }
      rows += 1;
      seeRow(seen, row, local);
    }
  }
  const width = Math.max(0, ...widths.keys());
  checkWidth(width);
  const names = columnNames(header ? (first ?? []) : [], width);
  const notations = notationsOf(
    seen.map((column) => column.local),
    dialect.delimiter,
  );
  const columns = names.map((name, index) => columnOf(name, seen[index] ?? nothingOf(), notations[index]));
  return { columns, rows, warnings: warningsOf(widths, first?.length ?? 0, faults) };
};

/** @returns the rows of a CSV without its header */
export const readCsvRows = async function* (
  path: string,
  dialect: Dialect,
  { header, bytesRead }: { header: boolean; bytesRead?: BytesRead | undefined },
): AsyncGenerator<CsvRow[]> {
  let headers = header ? 1 : 0;
  for await (const batch of readCsv(path, dialect, { bytesRead })) {
    yield headers > 0 ? batch.slice(headers) : batch;
    headers -= Math.min(headers, batch.length);
  }
};

/** @throws JobError `output_too_large` for more columns than a table may have */
export const checkWidth = (columns: number): void => {
  if (columns > TABLE_COLUMNS_MAX) {
    throw new JobError("output_too_large", `The table has ${columns} columns; the maximum is ${TABLE_COLUMNS_MAX}.`);
  }
};

/** The texts of a column. */
interface ColumnSeen {
  readonly plain: Seen;
  readonly local: LocalSeen;
}

const nothingOf = (): ColumnSeen => ({ plain: nothingSeen(), local: nothingLocal() });

const seeRow = (seen: ColumnSeen[], row: CsvRow, isLocal: boolean): void => {
  for (let index = 0; index < row.length; index += 1) {
    const column = seen[index] ?? nothingOf();
    seen[index] = column;
    const text = row[index] ?? "";
    see(column.plain, text);
    if (isLocal) {
      seeLocal(column.local, text);
    }
  }
};

const columnOf = (name: string, { plain, local }: ColumnSeen, notation: Notation | undefined): Column =>
  notation === undefined
    ? { name, kind: kindOf(plain), coded: plain.codes > 0 }
    : { name, kind: kindOfLocal(notation, local), coded: false, notation };

const warningsOf = (widths: ReadonlyMap<number, number>, width: number, faults: CsvFaults): Warning[] => {
  const count = (odd: (cells: number) => boolean) =>
    [...widths].filter(([cells]) => odd(cells)).reduce((sum, [, rows]) => sum + rows, 0);
  const [longer, shorter] = [count((cells) => cells > width), count((cells) => cells < width)];
  const ragged = {
    code: "ragged_rows",
    detail: `Rows with more cells than the first row: ${longer}; with fewer: ${shorter}. No data is lost; missing cells are empty.`,
  };
  return [...(longer + shorter > 0 ? [ragged] : []), ...strayQuotesWarning(faults)];
};

/** @returns the warning for quotes that were kept as text, if any */
export const strayQuotesWarning = ({ strayQuotes }: CsvFaults): Warning[] =>
  strayQuotes === 0
    ? []
    : [
        {
          code: "stray_quotes",
          detail: `Quotes in positions where CSV does not allow them: ${strayQuotes}. They are kept as text.`,
        },
      ];
