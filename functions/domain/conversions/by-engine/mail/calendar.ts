import type { ConversionRow } from "../../conversion.ts";
import { CSV_RULES } from "../data/csv-rules.ts";

const READ = { costMs: 60, last: true } as const;
const WRITTEN = { fidelity: "lossless", costMs: 60, first: true } as const;

/** Calendars and contacts. */
export const calendarConversions: readonly ConversionRow[] = [
  {
    ...READ,
    from: ["ics", "vcf"],
    to: "csv",
    fidelity: "content_only",
    options: ["delimiter", "encoding"],
    rules: CSV_RULES,
  },
  { ...READ, from: ["ics", "vcf"], to: "json", fidelity: "lossless", options: ["encoding", "indent"] },
  { ...WRITTEN, from: ["csv"], to: "ics", options: ["delimiter", "encoding"] },
  { ...WRITTEN, from: ["csv"], to: "vcf", options: ["delimiter", "encoding"] },
  { ...WRITTEN, from: ["json"], to: "ics", options: ["encoding"] },
  { ...WRITTEN, from: ["json"], to: "vcf", options: ["encoding"] },
];
