import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import { CSV_RULES } from "./csv-rules.ts";

/** Options for reading CSV, and other tables as text. */
const CSV = ["encoding", "delimiter", "header"] as const satisfies readonly OptionName[];
const TSV = ["encoding", "header"] as const satisfies readonly OptionName[];

/** Rows without changes: between CSV, TSV, JSON and NDJSON, and from DBF. */
export const textTableConversions: readonly ConversionRow[] = (
  [
    { from: ["csv"], to: "tsv", options: ["encoding", "delimiter"] },
    { from: ["tsv"], to: "csv", options: ["encoding", "delimiter"], rules: CSV_RULES },
    { from: ["csv"], to: "json", options: [...CSV, "indent"] },
    { from: ["tsv"], to: "json", options: [...TSV, "indent"] },
    { from: ["csv"], to: "ndjson", options: CSV },
    { from: ["tsv"], to: "ndjson", options: TSV },
    { from: ["json", "ndjson"], to: "csv", options: ["encoding", "delimiter"], rules: CSV_RULES },
    { from: ["json", "ndjson"], to: "tsv", options: ["encoding"] },
    { from: ["json"], to: "ndjson", options: ["encoding"] },
    { from: ["ndjson"], to: "json", options: ["encoding", "indent"] },
    { from: ["dbf"], to: "csv", options: ["encoding", "delimiter"], rules: CSV_RULES },
    { from: ["dbf"], to: "json", options: ["encoding", "indent"] },
  ] as const
).map((row) => ({ ...row, fidelity: "lossless", costMs: 100 }));

/** Tables with the same columns, appended to each other; others are converted to one of these first. */
export const textTableMerges: readonly ConversionRow[] = (
  [
    { from: ["csv", "tsv"], to: "csv", options: CSV },
    { from: ["csv", "tsv", "json", "ndjson"], to: "json", options: [...CSV, "indent"] },
    { from: ["csv", "tsv", "json", "ndjson"], to: "ndjson", options: CSV },
  ] as const
).map((row) => ({ ...row, fidelity: "lossless", costMs: 200 }));
