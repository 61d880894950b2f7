import type { Page } from "./ports.ts";

/** Records that one request for a page reads. With a filter that few records match, a page is shorter, or even empty. */
export const PAGE_READ_MAX = 2_000;

/** Records that are read at once, when not all of them match. */
const RECORDS_AT_ONCE = 100;

/** A range of an account's records: from an inclusive ID to an exclusive newer one. */
export interface IdRange {
  readonly from: string;
  readonly before: string;
  readonly limit: number;
}

/** Entries of an index, newest first. The record of an entry can be gone. */
export type ReadRange<T> = (
  range: IdRange,
) => Promise<readonly { readonly id: string; readonly record: T | undefined }[]>;

interface PageFilter<T> extends IdRange {
  /** @returns whether the record is on the page */
  readonly matches: (record: T) => boolean;
  /** Whether fewer records match than are read. */
  readonly isNarrow: boolean;
}

/**
 * Reads records until the page is full, there are no more, or {@link PAGE_READ_MAX} have been read.
 * @param read returns the newest `limit` entries of the range; fewer only if there are no more
 * @returns a page of the records that match
 */
export const filteredPage = async <T extends { readonly id: string }>(
  { from, before, limit, matches, isNarrow }: PageFilter<T>,
  read: ReadRange<T>,
): Promise<Page<T>> => {
  const items: T[] = [];
  let last = before;
  let more = from < before;
  for (let entries = 0; more && items.length <= limit && entries < PAGE_READ_MAX; ) {
    const wanted = isNarrow ? RECORDS_AT_ONCE : limit - items.length + 1;
    const found = await read({ from, before: last, limit: wanted });
    items.push(...found.flatMap(({ record }) => (record !== undefined && matches(record) ? [record] : [])));
    last = found.at(-1)?.id ?? last;
    more = found.length === wanted;
    entries += wanted;
  }
  const page = items.slice(0, limit);
  const next = items.length > limit ? page.at(-1)?.id : more ? last : undefined;
  return { items: page, ...(next !== undefined && { next }) };
};
