import { contentsOf } from "./contents.ts";
import type { Header } from "./header.ts";
import { indexTable } from "./index-table.ts";
import type { BookPart } from "./mobipocket.ts";
import { corrupt, type Records, uint32 } from "./records.ts";
import { type Mark, markTargets } from "./targets.ts";

/** The chapters of a Kindle book, and its style sheets. */
export interface KindleBook {
  readonly parts: readonly BookPart[];
  readonly sheets: readonly string[];
}

/** @returns the chapters of a Kindle book (KF8): page skeletons, into which fragments are inserted */
export const kindleBook = (text: Buffer, records: Records, header: Header): KindleBook => {
  const [book = text, ...others] = flowsOf(text, records, header);
  if (header.skeletons === undefined) {
    return { parts: [{ html: plainMarkup(book.toString("utf8")), label: undefined }], sheets: [] };
  }
  const targets = targetsOf(book);
  const fragments = header.fragments === undefined ? [] : fragmentsOf(records, header.fragments);
  // Reversed, so that the first of several entries in a fragment wins.
  const lines = contentsOf(records, header).toReversed();
  const labels = new Map(lines.map(({ fragment, label }) => [fragment, label]));
  let next = 0;
  const parts = indexTable(records, header.skeletons).entries.map(({ values }) => {
    const [count = 0] = values.get(1) ?? [];
    const [offset = 0, length = 0] = values.get(6) ?? [];
    const own = fragments.slice(next, next + count);
    next += count;
    const page = assemble(book, { offset, length, fragments: own, targets });
    const label = own.map(({ number }) => labels.get(number)).find((each) => each !== undefined);
    return { html: plainMarkup(page.toString("utf8")), label };
  });
  // Flows that are not style sheets are drawings.
  const sheets = others.map((flow) => flow.toString("utf8")).filter((flow) => !/^\s*</.test(flow));
  return { parts, sheets };
};

/** The book's text is followed by style sheets and drawings; a table has their end offsets. */
const flowsOf = (text: Buffer, records: Records, { flows }: Header): Buffer[] => {
  const table = flows === undefined ? Buffer.alloc(0) : records.at(flows);
  if (table.toString("latin1", 0, 4) !== "FDST") {
    return [text];
  }
  const [at, count] = [uint32(table, 4), Math.min(uint32(table, 8), table.length >> 3)];
  return Array.from({ length: count }, (_, index) =>
    text.subarray(uint32(table, at + 8 * index), uint32(table, at + 8 * index + 4)),
  );
};

interface Fragment {
  readonly number: number;
  /** The insertion offset in the text. */
  readonly into: number;
  readonly length: number;
}

const fragmentsOf = (records: Records, index: number): Fragment[] =>
  indexTable(records, index).entries.map(({ name, values }) => ({
    number: values.get(4)?.[0] ?? -1,
    into: Number.parseInt(name.toString("latin1"), 10),
    length: values.get(6)?.[1] ?? 0,
  }));

/** Numbers in links are base 32. */
const LINK = /kindle:pos:fid:([0-9a-v]{1,6}):off:([0-9a-v]{1,10})/gi;
const PICTURE = /kindle:embed:([0-9a-v]{1,6})(?:\?[\w=/&;.+-]{0,100})?/gi;
const TARGETS_MAX = 200_000;

/** @returns the offsets of link targets, by fragment */
const targetsOf = (book: Buffer): ReadonlyMap<number, ReadonlySet<number>> => {
  const targets = new Map<number, Set<number>>();
  for (const [, fragment = "", offset = ""] of [...book.toString("latin1").matchAll(LINK)].slice(0, TARGETS_MAX)) {
    const number = Number.parseInt(fragment, 32);
    targets.set(number, (targets.get(number) ?? new Set()).add(Number.parseInt(offset, 32)));
  }
  return targets;
};

interface Skeleton {
  readonly offset: number;
  readonly length: number;
  readonly fragments: readonly Fragment[];
  readonly targets: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Fragments follow their skeleton, in the order in which they are inserted. */
const assemble = (book: Buffer, { offset, length, fragments, targets }: Skeleton): Buffer => {
  let page = book.subarray(offset, offset + length);
  let marks: Mark[] = [];
  let at = offset + length;
  for (const { number, into, length: size } of fragments) {
    const cut = into - offset;
    if (!(cut >= 0 && cut <= page.length && at + size <= book.length)) {
      throw corrupt("part of the text is missing");
    }
    page = Buffer.concat([page.subarray(0, cut), book.subarray(at, at + size), page.subarray(cut)]);
    marks = [
      ...marks.map((mark) => (mark.at < cut ? mark : { ...mark, at: mark.at + size })),
      ...[...(targets.get(number) ?? [])].map((offset) => ({ at: cut + offset, name: `place-${number}-${offset}` })),
    ];
    at += size;
  }
  return markTargets(page, marks);
};

const plainMarkup = (html: string): string =>
  html
    .replace(
      LINK,
      (_, fragment: string, offset: string) => `#place-${Number.parseInt(fragment, 32)}-${Number.parseInt(offset, 32)}`,
    )
    .replace(PICTURE, (_, number: string) => `picture:${Number.parseInt(number, 32)}`);
