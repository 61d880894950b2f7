import type { ConversionRow } from "../../conversion.ts";
import { duckdbConversions } from "./duckdb.ts";

/** Rows become JSON or Parquet on the way. */
const COST_MS = 250;

/** Arrow (Feather) from and to Parquet, and what DuckDB converts from and to Parquet. */
export const arrowConversions: readonly ConversionRow[] = [
  { from: ["arrow"], to: "parquet", fidelity: "lossless", options: [], costMs: COST_MS },
  { from: ["parquet"], to: "arrow", fidelity: "lossless", options: [], costMs: COST_MS },
  ...duckdbConversions.map(
    (row): ConversionRow =>
      row.to === "parquet"
        ? { ...row, to: "arrow", costMs: row.costMs + COST_MS }
        : { ...row, from: ["arrow"], costMs: row.costMs + COST_MS },
  ),
];
