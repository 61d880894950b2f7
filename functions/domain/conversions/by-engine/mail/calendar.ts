import type { ConversionRow } from "../../conversion.ts";

const READ = { costMs: 60, last: true } as const;
const WRITTEN = { fidelity: "lossless", options: ["delimiter", "encoding"], costMs: 60, first: true } as const;

/** Calendars and contacts. */
export const calendarConversions: readonly ConversionRow[] = [
  { ...READ, from: ["ics", "vcf"], to: "csv", fidelity: "content_only", options: ["delimiter", "encoding"] },
  { ...READ, from: ["ics", "vcf"], to: "json", fidelity: "lossless", options: ["encoding", "indent"] },
  { ...WRITTEN, from: ["csv", "json"], to: "ics" },
  { ...WRITTEN, from: ["csv", "json"], to: "vcf" },
];
