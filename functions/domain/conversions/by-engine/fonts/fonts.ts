import type { ConversionRow } from "../../conversion.ts";

/** Repackaging keeps every table. TrueType outlines become TTF, PostScript outlines become OTF. */
const WRAP = { fidelity: "lossless", options: [] } as const;

/** Each pixel becomes a square. Properties other than names and copyright are lost. */
const DRAW = { fidelity: "lossy", options: [] } as const;

export const fontConversions: readonly ConversionRow[] = [
  { from: ["woff", "woff2", "eot", "ttc"], to: "ttf", ...WRAP, costMs: 30 },
  { from: ["woff", "woff2", "ttc"], to: "otf", ...WRAP, costMs: 30 },
  { from: ["ttf", "otf", "woff2", "eot"], to: "woff", ...WRAP, costMs: 100 },
  { from: ["ttf", "otf", "woff", "eot"], to: "woff2", ...WRAP, costMs: 2_300 },
  { from: ["ttf", "woff", "woff2"], to: "eot", ...WRAP, costMs: 30 },
  { from: ["bdf"], to: "ttf", ...DRAW, costMs: 60 },
  { from: ["bdf"], to: "woff", ...DRAW, costMs: 130 },
  { from: ["bdf"], to: "woff2", ...DRAW, costMs: 2_300 },
  { from: ["bdf"], to: "eot", ...DRAW, costMs: 60 },
];
