import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";

const TEXTS = ["srt", "vtt", "ssa", "ass", "sbv", "ttml", "lrc", "sub", "mpl"] as const satisfies readonly FormatId[];

/** Targets: lossless if times are precise to the millisecond. Costs are for 1,500 cues, a feature film. */
const TARGETS = [
  { to: "srt", fidelity: "lossless", costMs: 50 },
  { to: "vtt", fidelity: "lossless", costMs: 50 },
  { to: "ass", fidelity: "lossy", costMs: 50 },
  { to: "sbv", fidelity: "lossless", costMs: 50 },
  { to: "ttml", fidelity: "lossless", costMs: 50 },
  { to: "lrc", fidelity: "lossy", costMs: 50 },
  { to: "txt", fidelity: "content_only", costMs: 50, last: true },
  { to: "json", fidelity: "lossless", costMs: 50, last: true },
  { to: "csv", fidelity: "lossless", costMs: 50, last: true },
] as const satisfies readonly Omit<ConversionRow, "from" | "options">[];

/** ASS and LRC are precise to hundredths of a second, and LRC has no end times. */
export const subtitleConversions: readonly ConversionRow[] = TARGETS.map((target) => ({
  ...target,
  from: TEXTS.filter((format) => format !== target.to),
  options: ["encoding"],
}));
