import { contentsOf } from "./contents.ts";
import type { Header } from "./header.ts";
import { indexTable } from "./index-table.ts";
import type { BookPart } from "./mobipocket.ts";
import { type Mark, markPlaces } from "./places.ts";
import { corrupt, type Records, uint32 } from "./records.ts";

/** The chapters of a Kindle book, and its style sheets. */
export interface KindleBook {
  readonly parts: readonly BookPart[];
  readonly sheets: readonly string[];
}

/** @returns the chapters of a Kindle book (KF8): skeletons of pages, into which fragments are put */
export const kindleBook = (text: Buffer, records: Records, header: Header): KindleBook => {
  const [book = text, ...others] = flowsOf(text, records, header);
  if (header.skeletons === undefined) {
    return { parts: [{ html: plainMarkup(book.toString("utf8")), label: undefined }], sheets: [] };
  }
  const places = placesOf(book);
  const fragments = header.fragments === undefined ? [] : fragmentsOf(records, header.fragments);
  // Read from the end, so that of several lines within a fragment the first stays.
  const lines = contentsOf(records, header).toReversed();
  const labels = new Map(lines.map(({ fragment, label }) => [fragment, label]));
  let next = 0;
  const parts = indexTable(records, header.skeletons).entries.map(({ values }) => {
    const [count = 0] = values.get(1) ?? [];
    const [offset = 0, length = 0] = values.get(6) ?? [];
    const own = fragments.slice(next, next + count);
    next += count;
    const page = assemble(book, { offset, length, fragments: own, places });
    const label = own.map(({ number }) => labels.get(number)).find((each) => each !== undefined);
    return { html: plainMarkup(page.toString("utf8")), label };
  });
  // What is no style sheet is a drawing.
  const sheets = others.map((flow) => flow.toString("utf8")).filter((flow) => !/^\s*</.test(flow));
  return { parts, sheets };
};

/** The text of the book is followed by style sheets and drawings; a table tells where each ends. */
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
  /** Where in the text it is put. */
  readonly into: number;
  readonly length: number;
}

const fragmentsOf = (records: Records, index: number): Fragment[] =>
  indexTable(records, index).entries.map(({ name, values }) => ({
    number: values.get(4)?.[0] ?? -1,
    into: Number.parseInt(name.toString("latin1"), 10),
    length: values.get(6)?.[1] ?? 0,
  }));

/** Numbers in links are in base 32. */
const LINK = /kindle:pos:fid:([0-9a-v]{1,6}):off:([0-9a-v]{1,10})/gi;
const PICTURE = /kindle:embed:([0-9a-v]{1,6})(?:\?[\w=/&;.+-]{0,100})?/gi;
const PLACES_MAX = 200_000;

/** @returns the places that links lead to, by the fragment that they lie in */
const placesOf = (book: Buffer): ReadonlyMap<number, ReadonlySet<number>> => {
  const places = new Map<number, Set<number>>();
  for (const [, fragment = "", offset = ""] of [...book.toString("latin1").matchAll(LINK)].slice(0, PLACES_MAX)) {
    const number = Number.parseInt(fragment, 32);
    places.set(number, (places.get(number) ?? new Set()).add(Number.parseInt(offset, 32)));
  }
  return places;
};

interface Skeleton {
  readonly offset: number;
  readonly length: number;
  readonly fragments: readonly Fragment[];
  readonly places: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The fragments stand behind their skeleton, in the order in which they are put into it. */
const assemble = (book: Buffer, { offset, length, fragments, places }: Skeleton): Buffer => {
  let page = book.subarray(offset, offset + length);
  let marks: Mark[] = [];
  let at = offset + length;
  for (const { number, into, length: size } of fragments) {
    const cut = into - offset;
    if (!(cut >= 0 && cut <= page.length && at + size <= book.length)) {
      throw corrupt("a part of its text is missing");
    }
    page = Buffer.concat([page.subarray(0, cut), book.subarray(at, at + size), page.subarray(cut)]);
    marks = [
      ...marks.map((mark) => (mark.at < cut ? mark : { ...mark, at: mark.at + size })),
      ...[...(places.get(number) ?? [])].map((place) => ({ at: cut + place, name: `place-${number}-${place}` })),
    ];
    at += size;
  }
  return markPlaces(page, marks);
};

const plainMarkup = (html: string): string =>
  html
    .replace(
      LINK,
      (_, fragment: string, offset: string) => `#place-${Number.parseInt(fragment, 32)}-${Number.parseInt(offset, 32)}`,
    )
    .replace(PICTURE, (_, number: string) => `picture:${Number.parseInt(number, 32)}`);
