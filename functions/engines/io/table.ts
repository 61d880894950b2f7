import type { Warning } from "../../domain/jobs.ts";
import type { Kind } from "./column-kinds.ts";

/** A value of a table that has types. A number that a double does not hold is a text. */
export type Value = null | boolean | number | string;
export type Row = readonly Value[];

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** Whether some values look like numbers but are none: `007`. The column is then of text, all of it. */
  readonly coded: boolean;
}

/** A table of any size, which can be read more than once. */
export interface Table {
  /** Of a sheet, a table of a database, a member of a JSON; "" where it has none. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Whether the columns had names of their own. */
  readonly named: boolean;
  /** @returns the rows, as long as there are columns, some thousands at a time */
  rows(): AsyncIterable<readonly Row[]>;
}

/** All tables of a file, and what to tell the client of them. */
export interface Tables {
  readonly tables: readonly Table[];
  readonly warnings: readonly Warning[];
}
