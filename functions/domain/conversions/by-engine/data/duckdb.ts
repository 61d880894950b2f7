import type { ConversionRow } from "../../conversion.ts";
import { CSV_RULES } from "./csv-rules.ts";

/** Parquet, both ways. */
export const duckdbConversions: readonly ConversionRow[] = (
  [
    { from: ["csv"], to: "parquet", options: ["encoding", "delimiter", "header"] },
    { from: ["tsv"], to: "parquet", options: ["encoding", "header"] },
    { from: ["json", "ndjson"], to: "parquet", options: ["encoding"] },
    { from: ["parquet"], to: "csv", options: ["delimiter"], rules: CSV_RULES },
    { from: ["parquet"], to: "json", options: ["indent"] },
    { from: ["parquet"], to: "tsv", options: [] },
    { from: ["parquet"], to: "ndjson", options: [] },
  ] as const
).map((row) => ({ ...row, fidelity: "lossless", costMs: 120 }));
