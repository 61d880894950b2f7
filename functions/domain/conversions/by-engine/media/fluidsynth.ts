import type { ConversionRow } from "../../conversion.ts";
import { audioRows } from "./ffmpeg-audio.ts";

/** Of four minutes of music, in milliseconds. */
const RENDERING_MS = 12_000;

/** MIDI to audio. It contains only notes: each synthesizer plays them differently. */
export const fluidsynthConversions: readonly ConversionRow[] = audioRows(["mid"]).map((row) => ({
  ...row,
  fidelity: "lossy",
  costMs: row.costMs + RENDERING_MS,
}));
