import type { Run } from "../layout/model.ts";
import type { Sheet } from "./html-sheet.ts";
import { leadOf, runStyle } from "./html-style.ts";
import { escapeXml } from "./xml.ts";

export interface InlineContext {
  readonly sheet: Sheet;
  /** Indexes of the notes that the text refers to so far. */
  readonly referred: Set<number>;
}

/** @returns the start tag of a run without brackets; undefined for no tag */
type Wrap = (run: Run) => string | undefined;

const SHIFTS = { above: "sup", below: "sub" } as const;

/**
 * @param bold whether bold letters are marked: those of headings are all bold
 * @returns the runs as HTML, with as few elements as possible
 */
export const inlineHtml = (runs: readonly Run[], { sheet, referred }: InlineContext, bold = true): string => {
  const lead = leadOf(runs);
  const wraps: readonly Wrap[] = [
    ({ link }) => link && `a href="${escapeXml(link)}"`,
    ({ note }) => (note === undefined ? undefined : noteReference(note, referred)),
    ({ bold: heavy }) => (heavy && bold ? "strong" : undefined),
    ({ italic }) => (italic ? "em" : undefined),
    ({ shift }) => shift && SHIFTS[shift],
    ({ mono }) => (mono && bold ? "code" : undefined),
    ({ underline, link }) => (underline && link === undefined ? "u" : undefined),
    ({ strike }) => (strike ? "s" : undefined),
    ({ highlight }) => highlight && `mark${sheet.mark("mark", { "background-color": `#${highlight}` })}`,
    (run) => {
      const mark = lead === undefined ? "" : styleMark(run, lead, sheet);
      return mark === "" ? undefined : `span${mark}`;
    },
  ];
  return wrapped(runs, wraps);
};

const styleMark = (run: Run, lead: Run, sheet: Sheet): string => {
  const style = runStyle(run, lead);
  return Object.keys(style).length === 0 || run.text.trim() === "" ? "" : sheet.mark("span", style);
};

/** The first reference to a note is where the note leads back to. */
const noteReference = (note: number, referred: Set<number>): string => {
  const id = referred.has(note) ? "" : ` id="ref-${note + 1}"`;
  referred.add(note);
  return `a${id} href="#note-${note + 1}"`;
};

/** Neighbors with the same tag share it. */
const wrapped = (runs: readonly Run[], [wrap, ...inner]: readonly Wrap[]): string => {
  if (wrap === undefined) {
    return runs.map(({ text }) => escapeXml(text).replaceAll("\t", "\u2003")).join("");
  }
  const groups: { readonly tag: string | undefined; readonly runs: Run[] }[] = [];
  for (const run of runs) {
    const tag = wrap(run);
    const last = groups.at(-1);
    last !== undefined && last.tag === tag ? last.runs.push(run) : groups.push({ tag, runs: [run] });
  }
  return groups.map(({ tag, runs: own }) => surrounded(wrapped(own, inner), tag)).join("");
};

/** @returns the text in an element, with the spaces around it outside */
const surrounded = (html: string, tag: string | undefined): string => {
  const text = html.trim();
  if (tag === undefined || text === "") {
    return html;
  }
  const from = html.indexOf(text);
  const name = /^\w+/.exec(tag)?.[0];
  return `${html.slice(0, from)}<${tag}>${text}</${name}>${html.slice(from + text.length)}`;
};
