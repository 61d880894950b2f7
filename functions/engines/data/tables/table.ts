import type { Warning } from "../../../domain/warning.ts";
import type { Kind } from "./column-kinds.ts";
import type { Notation } from "./local-values.ts";

/** A typed value of a table. A number that a double cannot represent is a text. */
export type Value = null | boolean | number | string;
export type Row = readonly Value[];

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** Whether some values look like numbers but are not: `007`. The entire column is then text. */
  readonly coded: boolean;
  /** How its numbers or dates are written, if not as in JSON and ISO 8601. */
  readonly notation?: Notation;
}

/** A table of any size that can be read more than once. */
export interface Table {
  /** Name of a sheet, a database table or a JSON member; "" when it has none. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Whether the columns have names in the source. */
  readonly named: boolean;
  /** @returns the rows in batches, each as long as there are columns */
  rows(): AsyncIterable<readonly Row[]>;
}

/** All tables of a file, and warnings for the client. */
export interface Tables {
  readonly tables: readonly Table[];
  readonly warnings: readonly Warning[];
}
