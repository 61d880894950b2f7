import type { ConversionRow } from "../../conversion.ts";
import { CSV_RULES } from "./csv-rules.ts";

/** SQLite, both ways. */
export const sqliteConversions: readonly ConversionRow[] = (
  [
    { from: ["sqlite"], to: "csv", options: ["table", "delimiter"], rules: CSV_RULES },
    { from: ["sqlite"], to: "json", options: ["table", "indent"] },
    { from: ["sqlite"], to: "ndjson", options: ["table"] },
    { from: ["csv"], to: "sqlite", options: ["encoding", "delimiter", "header"] },
    { from: ["tsv"], to: "sqlite", options: ["encoding", "header"] },
    { from: ["json", "ndjson"], to: "sqlite", options: ["encoding"] },
  ] as const
).map((row) => ({ ...row, fidelity: "lossless", costMs: 60 }));
