import type { ConversionRow } from "../../conversion.ts";

/** Pages as vector drawings. First steps only, so that office drawings do not pass through a printed page. */
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
