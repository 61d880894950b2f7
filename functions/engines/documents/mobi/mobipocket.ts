import { contentsOf } from "./contents.ts";
import type { Header } from "./header.ts";
import type { Records } from "./records.ts";
import { markTargets } from "./targets.ts";

/** A chapter's markup, with links to `#place-…` and pictures referenced as `picture:` and their number. */
export interface BookPart {
  readonly html: string;
  /** Its label in the contents. */
  readonly label: string | undefined;
}

/** Maximum number of link targets: a book of a million words has 20,000 notes. */
const TARGETS_MAX = 200_000;

const PAGE_BREAK = /<mbp:pagebreak[^<>]{0,200}>(?:\s{0,9}<\/mbp:pagebreak>)?/gi;
const LINK = /\bfilepos\s?=\s?["']?0{0,10}(\d{1,10})["']?/gi;

/** @returns the chapters of a Mobipocket book, which is one text separated by page breaks */
export const mobipocketParts = (text: Buffer, records: Records, header: Header): BookPart[] => {
  const latin = text.toString("latin1");
  const targets = new Set([...latin.matchAll(LINK)].slice(0, TARGETS_MAX).map(([, at]) => Number(at)));
  const marked = markTargets(
    text,
    [...targets].map((at) => ({ at, name: `place-${at}` })),
  );
  const labels = contentsOf(records, header);
  const breaks = [...latin.matchAll(PAGE_BREAK)].map(({ index }) => index);
  const decoder = new TextDecoder(header.encoding);
  return marked
    .toString("latin1")
    .split(PAGE_BREAK)
    .map((piece, index) => {
      const [from, to] = [breaks[index - 1] ?? 0, breaks[index] ?? text.length];
      const label = labels.find(({ position = -1 }) => position >= from && position < to)?.label;
      return { html: plainMarkup(decoder.decode(Buffer.from(piece, "latin1"))), label };
    });
};

const PICTURE = /\b(?:hi|lo)?recindex\s?=\s?["']?0{0,6}(\d{1,6})["']?/i;

const plainMarkup = (html: string): string =>
  html
    .replace(LINK, 'href="#place-$1"')
    .replace(/<img\b[^<>]{0,2000}>/gi, (tag) => tag.replace(PICTURE, 'src="picture:$1"'));
