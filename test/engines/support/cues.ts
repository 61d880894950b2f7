/**
 * The cues of the subtitle samples. Times are multiples of 200 ms, which frames and tenths of a second can represent.
 */
export interface SampleCue {
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly italic?: boolean;
}

/** Two lines, XML special characters, four scripts, a gap, overlapping cues, and one past the first hour. */
export const CUES: readonly SampleCue[] = [
  { start: 1_000, end: 3_400, text: "Hello, <world> & all" },
  { start: 3_400, end: 6_000, text: "Zwölf Boxkämpfer\njagen Viktor", italic: true },
  { start: 10_000, end: 14_000, text: "日本語の字幕" },
  { start: 12_000, end: 15_600, text: "שלום עולם" },
  { start: 4_000_200, end: 4_003_000, text: "Привет: 100%" },
];
