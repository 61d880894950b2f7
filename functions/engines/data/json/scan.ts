import { TREE_DEPTH_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/** Finds the marks between the values of a JSON text without parsing the values (RFC 8259, section 2). */

/** A bracket, comma, colon or line end that is outside all values, or directly within the outermost one. */
export interface Mark {
  /** Its byte. */
  readonly code: number;
  /** Its offset in the file. */
  readonly at: number;
  /** Number of brackets open at this position. */
  readonly depth: number;
}

export interface ScanState {
  depth: number;
  inText: boolean;
  escaped: boolean;
}

export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LINE_END = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export const newScan = (): ScanState => ({ depth: 0, inText: false, escaped: false });

const ORDINARY = 0;
const TEXT = 1;
const ESCAPE = 2;
const OPENS = 3;
const CLOSES = 4;
const DIVIDES = 5;

/** The class of each byte; most are ordinary and skipped with one lookup. */
const BYTES = new Uint8Array(256);
for (const [code, meaning] of [
  [QUOTE, TEXT],
  [BACKSLASH, ESCAPE],
  [OPEN_ARRAY, OPENS],
  [OPEN_OBJECT, OPENS],
  [CLOSE_ARRAY, CLOSES],
  [CLOSE_OBJECT, CLOSES],
  [COMMA, DIVIDES],
  [COLON, DIVIDES],
  [LINE_END, DIVIDES],
] as const) {
  BYTES[code] = meaning;
}

/**
 * @returns the marks of depth 0 and 1 in the next bytes of the text, which start at `base` in the file
 * @throws JobError `unsupported_feature` for values nested more than {@link TREE_DEPTH_MAX} deep: what reads their text
 * later, such as a browser, takes minutes
 */
export const marksOf = (state: ScanState, bytes: Uint8Array, base: number): Mark[] => {
  const marks: Mark[] = [];
  let { depth, inText } = state;
  const length = bytes.length;
  // A backslash at the end of the last chunk escapes the first byte of this one.
  let index = state.escaped && length > 0 ? 1 : 0;
  for (; index < length; index += 1) {
    const code = bytes[index] ?? 0;
    const meaning = BYTES[code];
    if (meaning === ORDINARY) {
      continue;
    }
    if (inText) {
      inText = meaning !== TEXT;
      index += meaning === ESCAPE ? 1 : 0;
      continue;
    }
    if (meaning === TEXT) {
      inText = true;
      continue;
    }
    depth -= meaning === CLOSES ? 1 : 0;
    if (depth <= 1 && meaning !== ESCAPE) {
      marks.push({ code, at: base + index, depth });
    }
    if (meaning === OPENS) {
      depth += 1;
      if (depth > TREE_DEPTH_MAX) {
        throw new JobError("unsupported_feature", `The JSON is nested more than ${TREE_DEPTH_MAX} levels deep.`);
      }
    }
  }
  const escaped = length === 0 ? state.escaped : index > length;
  Object.assign(state, { depth, inText, escaped });
  return marks;
};
