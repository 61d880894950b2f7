import type { ConversionRow } from "../conversion.ts";

/** What ffmpeg makes of films. */
export const videoConversions: readonly ConversionRow[] = [];
