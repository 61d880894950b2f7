import type { Progress } from "../node.ts";

/** A progress bar in the last line of a terminal. */
export interface ProgressBar {
  progress(label: string, progress: Progress): void;
  /** The input has ended, with or without a result. */
  finished(label: string): void;
  /** Removes the bar, so that other lines can be printed. The next `draw` shows it again. */
  clear(): void;
  draw(): void;
  /** The inputs in progress. */
  readonly running: ReadonlyMap<string, Progress>;
}

export interface BarSettings {
  /** Inputs of the run; undefined if their number is not known: the bar then shows those in progress. */
  readonly total: number | undefined;
  /** Undefined: the bar is never shown. */
  readonly screen: Screen | undefined;
}

/** A terminal. */
export interface Screen {
  readonly isColored: boolean;
  /** Columns, read at each update: the window can be resized. */
  columns(): number | undefined;
  write(text: string): void;
}

const verbs = { upload: "uploading", convert: "converting", download: "downloading" } as const;
/** Start and share of each phase in the progress of one input, in percent. */
const shares = { upload: [0, 30], convert: [30, 60], download: [90, 10] } as const;

/** Milliseconds between two updates. */
const REDRAW_MS = 100;
/** Width of a terminal that does not report its width. */
const COLUMNS_DEFAULT = 80;
const BAR_COLUMNS_MAX = 30;
/** Share of the width for the bar; the rest is for the names of the files. */
const BAR_SHARE = 4;
const CLEAR = "\r\u001b[2K";
const CYAN = "\u001b[36m";
const RESET = "\u001b[39m";

/** @returns the progress of one input over all its phases, in percent */
export const overall = ({ phase, percent }: Progress): number => {
  const [start, share] = shares[phase];
  return start + Math.floor((share * percent) / 100);
};

export const progressBar = ({ total, screen }: BarSettings): ProgressBar => {
  const running = new Map<string, Progress>();
  let finishedCount = 0;
  let drawnAt = 0;
  const draw = (): void => {
    if (screen !== undefined && running.size > 0) {
      drawnAt = Date.now();
      screen.write(CLEAR + lineOf({ running, finishedCount, total }, screen));
    }
  };
  return {
    running,
    draw,
    progress: (label, progress) => {
      running.set(label, progress);
      if (Date.now() - drawnAt >= REDRAW_MS) {
        draw();
      }
    },
    finished: (label) => {
      running.delete(label);
      finishedCount += 1;
    },
    clear: () => screen?.write(CLEAR),
  };
};

interface State {
  readonly running: ReadonlyMap<string, Progress>;
  readonly finishedCount: number;
  readonly total: number | undefined;
}

/** The last column stays empty: some terminals start a new line after it. */
const lineOf = ({ running, finishedCount, total }: State, { columns, isColored }: Screen): string => {
  const width = Math.max(1, (columns() || COLUMNS_DEFAULT) - 1);
  const active = [...running.values()].reduce((sum, each) => sum + overall(each), 0);
  const share = total === undefined ? active / running.size : (finishedCount * 100 + active) / Math.max(1, total);
  const percent = Math.min(100, Math.floor(share));
  const bar = Math.min(BAR_COLUMNS_MAX, Math.floor(width / BAR_SHARE));
  const filled = Math.round((bar * percent) / 100);
  const count = total !== undefined && total > 1 ? ` ${finishedCount}/${total}` : "";
  const names = [...running].map(([label, { phase }]) => `${verbs[phase]} ${printable(label)}`).join(", ");
  const text = cut(` ${String(percent).padStart(3)} %${count}  ${names}`, width - bar);
  const [on, off] = isColored ? [CYAN, RESET] : ["", ""];
  return `${on}${"█".repeat(filled)}${off}${"░".repeat(bar - filled)}${text}`;
};

/** Characters that take two columns, such as Chinese characters and emoji (Unicode Standard Annex 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Characters that take no column: accents and joiners. */
const NARROW = /[\p{M}\u200b-\u200f]/u;

const columnsOf = (character: string): number => (NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** @returns the text, shortened to this number of columns */
const cut = (text: string, columns: number): string => {
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += columnsOf(character);
    if (used > columns) {
      return kept;
    }
    kept += character;
  }
  return kept;
};

/** File names may contain terminal control sequences. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?");
