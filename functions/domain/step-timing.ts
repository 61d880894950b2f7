import type { FormatId } from "./formats/formats.ts";

/** The duration of a conversion step in milliseconds. */
export interface StepTiming {
  readonly engine: string;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly durationMs: number;
}
