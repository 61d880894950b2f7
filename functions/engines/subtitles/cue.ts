import { JobError } from "../../domain/errors.ts";

/** Subtitles as all formats are read into and written from. Times are milliseconds from the beginning of the film. */
export interface Subtitles {
  readonly title?: string;
  /** In the order of the file; they may overlap. */
  readonly cues: readonly Cue[];
}

export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly runs: readonly Run[];
  /** Where it stands, as the keys of a number pad lie: 2 is below in the middle. @default 2 */
  readonly place?: number;
  readonly speaker?: string;
}

/** A text in one style; it may hold line ends. */
export interface Run extends Style {
  readonly text: string;
}

export interface Style {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  /** `#rrggbb`. */
  readonly colour?: string;
}

/** @returns the text of a cue without its styles */
export const textOf = ({ runs }: Cue): string => runs.map(({ text }) => text).join("");

/** Milliseconds: a thousand days. */
const CUE_MS_MAX = 86_400_000_000;

/**
 * @returns the subtitles, when each of their times is one that every format can write
 * @throws JobError `source_corrupt`
 */
export const checkedTimes = (subtitles: Subtitles): Subtitles => {
  const wrong = subtitles.cues.find(({ start, end }) => !(inTime(start) && inTime(end)));
  if (wrong !== undefined) {
    throw new JobError("source_corrupt", `A subtitle from ${wrong.start} to ${wrong.end} milliseconds is in no film.`);
  }
  return subtitles;
};

const inTime = (ms: number): boolean => ms >= 0 && ms <= CUE_MS_MAX;

/** @returns the lines of a cue, the empty ones left out: in most formats one would end the cue */
export const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** @returns the runs without empty ones, those of one style joined, without white space at either end */
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

const STYLES = ["bold", "italic", "underline", "colour"] as const;
