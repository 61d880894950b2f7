import { navigate, useHistoryState, useSearch } from "wouter-preact/use-browser-location";

/** The position in a list: the URL has the filter and the cursor, the browser's history the way back. */
export interface Position {
  /** The cursor after which the page starts; undefined: the first page. */
  readonly after: string | undefined;
  /** The cursors of the previous pages, starting with the first page's, which is an empty string. */
  readonly trail: readonly string[];
}

/** Maximum pages to step back; beyond that, `back` leads to the first page. */
const TRAIL_MAX = 200;

/** @returns the position in a URL's query and its history state, both of which are untrusted input */
export const positionOf = (search: string, state: unknown): Position => {
  const after = new URLSearchParams(search).get("after") ?? undefined;
  const trail = Array.isArray(state) ? state.filter((cursor) => typeof cursor === "string") : [];
  return { after, trail: after === undefined ? [] : trail };
};

export const nextPosition = ({ after, trail }: Position, next: string): Position => ({
  after: next,
  trail: [...trail, after ?? ""].slice(-TRAIL_MAX),
});

/** @returns the previous page; the first page if the way back is unknown, as after following a link */
export const previousPosition = ({ trail }: Position): Position => ({
  after: trail.at(-1) || undefined,
  trail: trail.slice(0, -1),
});

/** @returns a URL query with these values; undefined and empty ones are omitted */
export const queryOf = (values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return query === "" ? "" : `?${query}`;
};

/** The position that the URL shows, and how to change it. */
export const usePaging = () => {
  const search = useSearch();
  const position = positionOf(search, useHistoryState<unknown>());
  const go = ({ after, trail }: Position): void => {
    const others = Object.fromEntries(new URLSearchParams(search));
    navigate(location.pathname + queryOf({ ...others, after }), { state: trail });
  };
  return {
    position,
    search,
    onNext: (next: string) => go(nextPosition(position, next)),
    onBack: () => go(previousPosition(position)),
    toFirst: () => go({ after: undefined, trail: [] }),
  };
};
