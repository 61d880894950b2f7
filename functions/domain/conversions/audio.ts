import type { ConversionRow } from "../conversion.ts";

/** What ffmpeg makes of sound. */
export const audioConversions: readonly ConversionRow[] = [];
