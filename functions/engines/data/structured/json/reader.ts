import { corrupt, placeIn, type Source } from "../codec.ts";
import { newMap, type Tree } from "../tree.ts";

/** The parts in which JSON and its variants differ. Each function reads from `scan.at`. */
export interface Dialect {
  readonly name: string;
  readonly trailingCommas: boolean;
  /** Whether strings may contain control characters other than line ends. */
  readonly controls: boolean;
  /** Skips white space and comments. */
  readonly skip: (scan: Scan) => void;
  readonly key: (scan: Scan) => string;
  /** A value that is neither a list nor an object. */
  readonly scalar: (scan: Scan) => Tree;
}

export interface Scan {
  readonly text: string;
  readonly source: Source;
  readonly dialect: Dialect;
  at: number;
}

/** @returns the value of the text */
export const readJson = (text: string, source: Source, dialect: Dialect): Tree => {
  const scan: Scan = { text, source, dialect, at: 0 };
  dialect.skip(scan);
  const tree = value(scan, 0);
  dialect.skip(scan);
  if (scan.at < text.length) {
    throw failure(scan, "Unexpected text after the end");
  }
  return tree;
};

/** @returns the match of the sticky expression at the position, and advances past it */
export const take = (scan: Scan, expression: RegExp): string | undefined => {
  expression.lastIndex = scan.at;
  const found = expression.exec(scan.text)?.[0];
  scan.at += found?.length ?? 0;
  return found;
};

/**
 * Takes a string with its quotes. It does not use a regex, which would need memory for each character of a long string.
 *
 * @returns the string as written, and whether it has backslashes
 */
export const takeQuoted = (scan: Scan, quote: "'" | '"'): { readonly quoted: string; readonly escaped: boolean } => {
  const { text, at } = scan;
  let end = at + 1;
  let escaped = false;
  for (; end < text.length && text[end] !== quote; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) {
      escaped = true;
      end += 1;
    } else if (code < FIRST_PRINTABLE && !(scan.dialect.controls && code !== LINE_FEED && code !== CARRIAGE_RETURN)) {
      break;
    }
  }
  if (text[at] !== quote || text[end] !== quote) {
    throw failure(scan, "Missing or malformed string");
  }
  scan.at = end + 1;
  return { quoted: text.slice(at, end + 1), escaped };
};

const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export const failure = (scan: Scan, what: string): Error =>
  corrupt(`Malformed ${scan.dialect.name}. ${what}: ${placeIn(scan.text, scan.at)}.`);

const value = (scan: Scan, depth: number): Tree => {
  scan.source.budget.depth(depth);
  scan.source.budget.spend(1, 0);
  const sign = scan.text[scan.at];
  if (sign === "{") {
    return object(scan, depth);
  }
  return sign === "[" ? list(scan, depth) : scan.dialect.scalar(scan);
};

const list = (scan: Scan, depth: number): Tree => {
  const items: Tree[] = [];
  members(scan, "]", () => items.push(value(scan, depth + 1)));
  return items;
};

const object = (scan: Scan, depth: number): Tree => {
  const { map, add } = newMap(scan.source.notes);
  members(scan, "}", () => {
    const key = scan.dialect.key(scan);
    scan.dialect.skip(scan);
    if (scan.text[scan.at] !== ":") {
      throw failure(scan, "Missing colon after a key");
    }
    scan.at += 1;
    scan.dialect.skip(scan);
    add(key, value(scan, depth + 1));
  });
  return map;
};

/** Reads the members between brackets, separated by commas. */
const members = (scan: Scan, end: "]" | "}", member: () => void): void => {
  const { skip, trailingCommas } = scan.dialect;
  scan.at += 1;
  skip(scan);
  let open = scan.text[scan.at] !== end;
  while (open) {
    member();
    skip(scan);
    const comma = scan.text[scan.at] === ",";
    if (!comma && scan.text[scan.at] !== end) {
      throw failure(scan, `Missing comma or ${end}`);
    }
    if (comma) {
      scan.at += 1;
      skip(scan);
    }
    open = comma && !(trailingCommas && scan.text[scan.at] === end);
  }
  scan.at += 1;
};
