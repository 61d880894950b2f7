type Filter = Readonly<Record<string, boolean | number | string | undefined>>;

/** @returns the query string of a filter, with the names of the API: `sourceFormat` becomes `source_format` */
export const queryOf = (filter: object): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter as Filter)) {
    if (value !== undefined) {
      query.set(
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        String(value),
      );
    }
  }
  return query.size === 0 ? "" : `?${query}`;
};

/** Which page of a list to return. */
export interface PageFilter {
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

/** A page of a list. */
interface Page {
  readonly next: string | null;
}

/** Pages of one list. 30 days of jobs at 100 per page fit many times. */
const PAGES_MAX = 1_000_000;

/** @returns the items of all pages. A page is requested when the items before it have been read */
export const itemsOf = async function* <List extends Page, Item>(
  pageAfter: (after: string | undefined) => Promise<List>,
  itemsIn: (page: List) => readonly Item[],
  first?: string,
): AsyncGenerator<Item, void, undefined> {
  let after = first;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await pageAfter(after);
    yield* itemsIn(page);
    if (page.next === null) {
      return;
    }
    after = page.next;
  }
};
