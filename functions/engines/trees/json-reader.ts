import { corrupt, placeIn, type Source } from "./codec.ts";
import { newMap, type Tree } from "./tree.ts";

/** What the members of the family of JSON read each in their own way. Each function takes what stands at `scan.at`. */
export interface Dialect {
  readonly name: string;
  readonly trailingCommas: boolean;
  /** Whether strings may hold control characters other than line ends. */
  readonly controls: boolean;
  /** Goes over white space and comments. */
  readonly skip: (scan: Scan) => void;
  readonly key: (scan: Scan) => string;
  /** A value that is no list and no object. */
  readonly scalar: (scan: Scan) => Tree;
}

export interface Scan {
  readonly text: string;
  readonly source: Source;
  readonly dialect: Dialect;
  at: number;
}

/** @returns the value that the text is */
export const readJson = (text: string, source: Source, dialect: Dialect): Tree => {
  const scan: Scan = { text, source, dialect, at: 0 };
  dialect.skip(scan);
  const tree = value(scan, 0);
  dialect.skip(scan);
  if (scan.at < text.length) {
    throw failure(scan, "There is something behind the end");
  }
  return tree;
};

/** @returns what the sticky expression finds at the place, after which the scan goes on */
export const take = (scan: Scan, expression: RegExp): string | undefined => {
  expression.lastIndex = scan.at;
  const found = expression.exec(scan.text)?.[0];
  scan.at += found?.length ?? 0;
  return found;
};

/**
 * Takes a string with its quotes. Read by hand: an expression would need memory for each character of a long one.
 *
 * @returns the string as it stands there, and whether there are backslashes in it
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
    throw failure(scan, "A string is missing or not well formed");
  }
  scan.at = end + 1;
  return { quoted: text.slice(at, end + 1), escaped };
};

const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export const failure = (scan: Scan, what: string): Error =>
  corrupt(`The file is no ${scan.dialect.name}. ${what}: ${placeIn(scan.text, scan.at)}.`);

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
      throw failure(scan, "A colon is missing behind a key");
    }
    scan.at += 1;
    scan.dialect.skip(scan);
    add(key, value(scan, depth + 1));
  });
  return map;
};

/** Reads what stands between brackets, parted by commas. */
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
      throw failure(scan, `A comma or ${end} is missing`);
    }
    if (comma) {
      scan.at += 1;
      skip(scan);
    }
    open = comma && !(trailingCommas && scan.text[scan.at] === end);
  }
  scan.at += 1;
};
