import { JobError } from "../../../domain/errors.ts";

/** Common model of all subtitle formats. Times are milliseconds from the start of the video. */
export interface Subtitles {
  readonly title?: string;
  /** In file order; cues may overlap. */
  readonly cues: readonly Cue[];
}

export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly runs: readonly Run[];
  /** Position in numeric keypad layout: 2 is bottom center. @default 2 */
  readonly place?: number;
  readonly speaker?: string;
}

/** Text in one style; may contain line breaks. */
export interface Run extends Style {
  readonly text: string;
}

export interface Style {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  /** `#rrggbb`. */
  readonly color?: string;
}

/** @returns the text of a cue without styles */
export const textOf = ({ runs }: Cue): string => runs.map(({ text }) => text).join("");

/** Maximum time in milliseconds: a thousand days. */
const CUE_MS_MAX = 86_400_000_000;

/**
 * @returns the subtitles, after checking that every format can write their times
 * @throws JobError `source_corrupt`
 */
export const checkedTimes = (subtitles: Subtitles): Subtitles => {
  const wrong = subtitles.cues.find(({ start, end }) => !(inTime(start) && inTime(end)));
  if (wrong !== undefined) {
    throw new JobError("source_corrupt", `Invalid cue timing: ${wrong.start} ms to ${wrong.end} ms.`);
  }
  return subtitles;
};

const inTime = (ms: number): boolean => ms >= 0 && ms <= CUE_MS_MAX;

/** @returns the lines of a cue without empty lines, which would end the cue in most formats */
export const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** @returns the runs with equal styles joined, without empty runs and without leading and trailing white space */
export const tidied = (runs: readonly Run[]): Run[] => {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && isSame(last, run)) {
      joined[joined.length - 1] = { ...last, text: last.text + run.text };
    } else if (run.text !== "") {
      joined.push(run);
    }
  }
  return joined
    .map((run, index) => (index === 0 ? { ...run, text: run.text.replace(/^[ \t]*\n+/, "") } : run))
    .map((run, index) => (index === joined.length - 1 ? { ...run, text: run.text.trimEnd() } : run))
    .filter(({ text }) => text !== "");
};

const isSame = (one: Style, other: Style): boolean =>
  STYLES.every((name) => (one[name] || undefined) === (other[name] || undefined));

const STYLES = ["bold", "italic", "underline", "color"] as const;
