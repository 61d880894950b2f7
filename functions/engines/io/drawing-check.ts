import { JobError } from "../../domain/errors.ts";
import { decodeText } from "./text.ts";

/**
 * Refuses a drawing that asks its reader for work without end: librsvg and usvg take time with the square of the letters
 * of a text and of what filters reach for, and usvg goes down by recursion and replaces entities without counting.
 *
 * @throws JobError `unsupported_feature`
 */
export const checkDrawing = (bytes: Uint8Array): void => {
  const { text } = decodeText(bytes);
  checkEntities(text);
  let [depth, letters, line, inText, at] = [0, 0, 0, 0, 0];
  for (const { 0: tag, 1: closing, 2: name = "", 3: attributes = "", 4: closed, index } of text.matchAll(TAG)) {
    line += inText > 0 ? index - at : 0;
    at = index + tag.length;
    if (closing === "/" || closed === "") {
      depth += closing === "/" ? -1 : 1;
      inText = name === "text" ? Math.max(0, inText + (closing === "/" ? -1 : 1)) : inText;
    }
    refuse(depth > DEPTH_MAX, `is nested more than ${DEPTH_MAX} elements deep`);
    refuse(line > LINE_LETTERS_MAX, `has a text of over ${LINE_LETTERS_MAX} letters`);
    refuse(letters + line > LETTERS_MAX, `has over ${LETTERS_MAX} letters`);
    if (inText === 0) {
      [letters, line] = [letters + line, 0];
    }
    checkFilter(name, attributes);
    checkInner(attributes);
  }
};

/** As deep as libxml2 goes. */
const DEPTH_MAX = 256;

/** Letters of one text, which take 6 s as measured, and of all. */
const LINE_LETTERS_MAX = 5_000;
const LETTERS_MAX = 300_000;

/** A `<` cannot stand within a tag, so each is looked through once. */
const TAG = /<(\/?)(?:[\w.-]+:)?([A-Za-z][\w.-]*)((?:[^<>"'/]|\/(?!>)|"[^"<]*"|'[^'<]*')*)(\/?)>/g;

const refuse = (wrong: boolean, what: string): void => {
  if (wrong) {
    throw new JobError("unsupported_feature", `The SVG ${what}, which is too much to be drawn.`);
  }
};

/** What filters may ask for: numbers whose work grows with them, or with their square. */
const FILTERS: Readonly<Record<string, readonly [attribute: RegExp, max: number]>> = {
  feTurbulence: [/\bnumOctaves\s*=\s*["']([^"']*)/, 20],
  feMorphology: [/\bradius\s*=\s*["']([^"']*)/, 50],
  feConvolveMatrix: [/\border\s*=\s*["']([^"']*)/, 15],
};

const checkFilter = (name: string, attributes: string): void => {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) {
    return;
  }
  const numbers = (filter[0].exec(attributes)?.[1] ?? "").trim().split(/[\s,]+/, 2);
  refuse(
    numbers.some((number) => Number(number) > filter[1] || number.includes("&")),
    `has a filter (${name}) that reaches further than ${filter[1]}`,
  );
};

/** A drawing may be a picture in another, which usvg draws as well. It is smaller each time, so this ends. */
const checkInner = (attributes: string): void => {
  for (const [, words = "", data = ""] of attributes.matchAll(/data:image\/svg\+xml([^"',]*),([^"']*)/gi)) {
    checkDrawing(/;base64$/i.test(words) ? Buffer.from(data, "base64") : Buffer.from(percentDecoded(data)));
  }
};

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Characters that all references to entities of its own come to: programs have some for their namespaces. */
const REPLACED_MAX = 1_000_000;

/** Entities within entities; deeper, it is a bomb, or names itself. */
const LEVELS_MAX = 10;

const checkEntities = (text: string): void => {
  const declared = new Map(
    [...text.matchAll(/<!ENTITY\s+([^\s"'%&;<>]+)\s+(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name = "", double, single = ""]) => [name, double ?? single],
    ),
  );
  const lengths = new Map<string, number>();
  const lengthOf = (value: string, level: number): number => {
    let length = value.length;
    for (const [, name = ""] of value.matchAll(/&([^\s"'%&;<>#]+);/g)) {
      const inner = declared.get(name);
      if (inner !== undefined) {
        const known = lengths.get(name) ?? (level > LEVELS_MAX ? Number.POSITIVE_INFINITY : lengthOf(inner, level + 1));
        lengths.set(name, known);
        length += known;
      }
    }
    return length;
  };
  refuse(declared.size > 0 && lengthOf(text, 0) - text.length > REPLACED_MAX, "declares entities that grow");
};
