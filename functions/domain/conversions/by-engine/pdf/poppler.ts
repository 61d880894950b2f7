import type { ConversionRow } from "../../conversion.ts";

/** Pages as drawings. First, so that a drawing of an office does not go by way of a printed page. */
const PAGES = {
  from: ["pdf"],
  fidelity: "lossless",
  options: ["pages", "password"],
  costMs: 500,
  first: true,
  last: true,
} as const;

export const popplerConversions: readonly ConversionRow[] = [
  { ...PAGES, to: "svg" },
  { ...PAGES, to: "eps" },
];
