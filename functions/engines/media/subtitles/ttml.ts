import { TREE_DEPTH_MAX, TREE_NODES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { readXml, type XmlElement } from "../../data/text/xml.ts";
import type { Reader } from "./codec.ts";
import { type Cue, type Run, type Style, tidied } from "./cue.ts";
import type { Notes } from "./notes.ts";
import { type ElementStyle, elementStyleOf, type NamedStyles, namedStylesOf } from "./ttml-styles.ts";
import { type Clock, clockRules, timeMs } from "./ttml-times.ts";

/**
 * Timed Text Markup Language (w3.org/TR/ttml2), including DFXP and IMSC text: each paragraph or timed span is a cue.
 */
export const readTtml: Reader = (text, { notes }) => {
  let nodes = 0;
  const spend = (count: number): void => {
    nodes += count;
    if (nodes > TREE_NODES_MAX) {
      throw new JobError("output_too_large", `The TTML file has more than ${TREE_NODES_MAX} elements.`);
    }
  };
  const { root, comments } = readXml(text, { depthMax: TREE_DEPTH_MAX, spend });
  notes.add("comments_dropped", comments);
  if (localName(root) !== "tt") {
    throw new JobError("source_corrupt", "Not a TTML file: the root element is not tt.");
  }
  const walk: Walk = { clock: clockRules(root.attributes), namedStyles: namedStylesOf(root), notes, cues: [] };
  const body = elementsOf(root).find((child) => localName(child) === "body");
  if (body !== undefined) {
    visit(walk, body, { begin: 0, end: Number.POSITIVE_INFINITY, style: {}, preserve: isPreserved(root, false) });
  }
  const title = descendant(root, "title");
  return { ...(title ? { title } : {}), cues: walk.cues };
};

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(":") + 1);

const elementsOf = ({ children }: XmlElement): XmlElement[] => children.filter((child) => typeof child !== "string");

const textIn = ({ children }: XmlElement): string => children.filter((child) => typeof child === "string").join("");

/** @returns the text of the first title in the head */
const descendant = (root: XmlElement, name: string): string | undefined => {
  const head = elementsOf(root).filter((child) => localName(child) === "head");
  const all = head.flatMap((child) => [...elementsOf(child), ...elementsOf(child).flatMap(elementsOf)]);
  const found = all.find((child) => localName(child) === name);
  return found === undefined ? undefined : textIn(found).trim();
};

interface Walk {
  readonly clock: Clock;
  readonly namedStyles: NamedStyles;
  readonly notes: Notes;
  readonly cues: Cue[];
}

interface Context {
  /** Start and end in milliseconds of the parent's time range. */
  readonly begin: number;
  readonly end: number;
  readonly style: ElementStyle;
  /** Whether white space is preserved. */
  readonly preserve: boolean;
}

const isPreserved = ({ attributes }: XmlElement, outer: boolean): boolean => {
  const space = attributes.get("xml:space");
  return space === undefined ? outer : space === "preserve";
};

/** Times are relative to the start of the parent and are clipped to its end. */
const inner = ({ clock, namedStyles }: Walk, element: XmlElement, outer: Context): Context => {
  const { attributes } = element;
  const [begin, end, duration] = ["begin", "end", "dur"].map((name) => timeMs(attributes.get(name), clock));
  const start = outer.begin + (begin ?? 0);
  const ends = [
    outer.end,
    end === undefined ? Number.POSITIVE_INFINITY : outer.begin + end,
    duration === undefined ? Number.POSITIVE_INFINITY : start + duration,
  ];
  const style = elementStyleOf(element, outer.style, namedStyles);
  return { begin: start, end: Math.min(...ends), style, preserve: isPreserved(element, outer.preserve) };
};

const isTimed = ({ attributes }: XmlElement): boolean => ["begin", "end", "dur"].some((name) => attributes.has(name));

/** Children of a sequence start where the previous one ends. */
const visit = (walk: Walk, element: XmlElement, outer: Context): void => {
  const context = inner(walk, element, outer);
  const name = localName(element);
  if (name === "p" || name === "span") {
    paragraph(walk, element, context);
    return;
  }
  const sequence = element.attributes.get("timeContainer") === "seq";
  let begin = context.begin;
  for (const child of elementsOf(element)) {
    if (["div", "p", "span"].includes(localName(child))) {
      visit(walk, child, { ...context, begin });
      begin = sequence ? inner(walk, child, { ...context, begin }).end : begin;
    }
  }
};

const paragraph = (walk: Walk, element: XmlElement, context: Context): void => {
  if (elementsOf(element).some((child) => localName(child) === "span" && isTimed(child))) {
    timedSpans(walk, element, context);
    return;
  }
  const runs = tidied(trimmedLines(runsOf(walk, element, context)));
  if (runs.length > 0) {
    addCue(walk, runs, context);
  }
};

/** Timed words in sequence, each a cue; text between them without times is skipped. */
const timedSpans = (walk: Walk, element: XmlElement, context: Context): void => {
  for (const child of element.children) {
    if (typeof child === "string") {
      walk.notes.add("lines_skipped", child.trim() === "" ? 0 : 1);
    } else if (localName(child) === "span") {
      visit(walk, child, context);
    }
  }
};

const addCue = ({ cues, notes }: Walk, runs: readonly Run[], { begin, end, style }: Context): void => {
  const place = style.place ?? 2;
  notes.add("ends_assumed", Number.isFinite(end) ? 0 : 1);
  const until = Number.isFinite(end) ? end : begin + OPEN_MS;
  cues.push({ start: Math.round(begin), end: Math.round(until), runs, ...(place === 2 ? {} : { place }) });
};

const OPEN_MS = 10_000;

const runsOf = (walk: Walk, element: XmlElement, { style, preserve, ...times }: Context): Run[] =>
  element.children.flatMap((child): Run[] => {
    if (typeof child === "string") {
      return [{ ...styleOf(style), text: preserve ? child : child.replace(/\s+/g, " ") }];
    }
    const name = localName(child);
    if (name === "br") {
      return [{ ...styleOf(style), text: "\n" }];
    }
    const below = {
      ...times,
      style: elementStyleOf(child, style, walk.namedStyles),
      preserve: isPreserved(child, preserve),
    };
    return name === "span" ? runsOf(walk, child, below) : [];
  });

const styleOf = ({ bold, italic, underline, color }: ElementStyle): Style => ({
  ...(bold ? { bold } : {}),
  ...(italic ? { italic } : {}),
  ...(underline ? { underline } : {}),
  ...(color === undefined ? {} : { color }),
});

/** White space at line ends comes from the XML formatting. */
const trimmedLines = (runs: readonly Run[]): Run[] => {
  let fresh = true;
  return runs.map((run) => {
    const text = run.text
      .split("\n")
      .map((line, index, all) => trimmedLine(line, { start: index > 0 || fresh, end: index < all.length - 1 }))
      .join("\n");
    fresh = text === "" ? fresh : text.endsWith("\n");
    return { ...run, text };
  });
};

const trimmedLine = (line: string, { start, end }: { readonly start: boolean; readonly end: boolean }): string => {
  const from = start ? line.trimStart() : line;
  return end ? from.trimEnd() : from;
};
