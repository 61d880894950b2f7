import { DRAWING_FILTER_STEPS_MAX, DRAWING_REFERRED_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { decodeText } from "../../data/text/text.ts";
import { referenceCount, type Tag } from "./references.ts";

/**
 * Rejects a drawing that would take unlimited work: librsvg and usvg need quadratic time for the characters of a text
 * and for the radius of filters, draw referenced elements for each reference, and are recursive; usvg also expands
 * entities without a limit.
 *
 * @throws JobError `unsupported_feature`
 */
export const checkDrawing = (bytes: Uint8Array): void => {
  const { text } = decodeText(bytes);
  checkEntities(text);
  const [nesting, letters, references] = [nestingCheck(), lettersCheck(), referenceCount()];
  for (const { 0: match, 1: closing, 2: name = "", 3: attributes = "", 4: closed, index } of text.matchAll(TAG)) {
    const tag = { name, attributes, opens: closing === "", closes: closing === "/" || closed === "/" };
    nesting(tag);
    letters(tag, index, index + match.length);
    references.add(tag);
    checkFilter(tag);
    checkInner(tag);
  }
  const { elements, filterSteps } = references.total();
  refuse(elements > DRAWING_REFERRED_MAX, `draws more than ${DRAWING_REFERRED_MAX} elements by reference`);
  refuse(filterSteps > DRAWING_FILTER_STEPS_MAX, `applies more than ${DRAWING_FILTER_STEPS_MAX} filter steps`);
};

/** A `<` cannot occur in a tag, and a name ends with its letters, so each is scanned once. */
const TAG = /<(\/?)(?:[\w.-]+:)?([A-Za-z][\w.-]*)(?![\w.-])((?:[^<>"'/]|\/(?!>)|"[^"<]*"|'[^'<]*')*)(\/?)>/g;

const refuse = (wrong: boolean, what: string): void => {
  if (wrong) {
    throw new JobError("unsupported_feature", `The SVG is too complex: it ${what}.`, { isFinal: true });
  }
};

/** The nesting limit of libxml2. */
const DEPTH_MAX = 256;

/** Each nested filter is drawn on a separate image, all at the same time. */
const FILTERS_DEPTH_MAX = 16;

const nestingCheck = () => {
  /** For each open element, the number of open elements with a filter. */
  const filters: number[] = [];
  return ({ attributes, opens, closes }: Tag): void => {
    if (!opens) {
      filters.pop();
    } else if (!closes) {
      filters.push((filters.at(-1) ?? 0) + (/\bfilter\s*[=:]/.test(attributes) ? 1 : 0));
    }
    refuse(filters.length > DEPTH_MAX, `is nested more than ${DEPTH_MAX} elements deep`);
    refuse((filters.at(-1) ?? 0) > FILTERS_DEPTH_MAX, `has more than ${FILTERS_DEPTH_MAX} nested filters`);
  };
};

/** Characters of one text, which take 6 s as measured, and of all texts. */
const LINE_LETTERS_MAX = 5_000;
const LETTERS_MAX = 300_000;

const lettersCheck = () => {
  let [texts, line, all, end] = [0, 0, 0, 0];
  return ({ name, opens, closes }: Tag, from: number, to: number): void => {
    line += texts > 0 ? from - end : 0;
    end = to;
    if (name === "text" && opens !== closes) {
      texts = Math.max(0, texts + (opens ? 1 : -1));
    }
    refuse(line > LINE_LETTERS_MAX, `has a text of more than ${LINE_LETTERS_MAX} characters`);
    refuse(all + line > LETTERS_MAX, `has more than ${LETTERS_MAX} characters`);
    if (texts === 0) {
      [all, line] = [all + line, 0];
    }
  };
};

/** Limits of filter attributes whose values increase the work linearly or quadratically. */
const FILTERS: Readonly<Record<string, readonly [attribute: RegExp, max: number]>> = {
  feTurbulence: [/\bnumOctaves\s*=\s*["']([^"']*)/, 20],
  feMorphology: [/\bradius\s*=\s*["']([^"']*)/, 50],
  feConvolveMatrix: [/\border\s*=\s*["']([^"']*)/, 15],
};

const checkFilter = ({ name, attributes }: Tag): void => {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) {
    return;
  }
  const numbers = (filter[0].exec(attributes)?.[1] ?? "").trim().split(/[\s,]+/, 2);
  refuse(
    numbers.some((number) => Number(number) > filter[1] || number.includes("&")),
    `has a filter (${name}) with a value above ${filter[1]}`,
  );
};

/**
 * A drawing may be embedded as an image in another, which usvg draws as well. It is smaller each time, so the recursion
 * ends.
 */
const checkInner = ({ attributes }: Tag): void => {
  for (const [, words = "", data = ""] of attributes.matchAll(/data:image\/svg\+xml([^"',]*),([^"']*)/gi)) {
    checkDrawing(/;base64$/i.test(words) ? Buffer.from(data, "base64") : Buffer.from(percentDecoded(data)));
  }
};

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/**
 * Maximum number of characters that references to declared entities expand to: programs declare some for namespaces.
 */
const REPLACED_MAX = 1_000_000;

/** Nesting limit of entities; a deeper one is an entity bomb, or refers to itself. */
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
  refuse(declared.size > 0 && lengthOf(text, 0) - text.length > REPLACED_MAX, "declares entities that expand too much");
};
