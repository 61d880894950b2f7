import { navigate, useHistoryState, useSearch } from "wouter-preact/use-browser-location";

/** Where in a list one is: the URL bears the filter and the cursor, the browser's history the way back. */
export interface Place {
  /** What the page begins behind; undefined: the first page. */
  readonly after: string | undefined;
  /** The cursors of the pages before this one, the first page's (an empty text) at its beginning. */
  readonly trail: readonly string[];
}

/** Pages that one can go back by steps; behind them `back` leads to the first. */
const TRAIL_MAX = 200;

/** @returns the place that a URL's query and the state of its history entry tell; what anybody may have written is checked */
export const placeOf = (search: string, state: unknown): Place => {
  const after = new URLSearchParams(search).get("after") ?? undefined;
  const trail = Array.isArray(state) ? state.filter((cursor) => typeof cursor === "string") : [];
  return { after, trail: after === undefined ? [] : trail };
};

export const placeBehind = ({ after, trail }: Place, next: string): Place => ({
  after: next,
  trail: [...trail, after ?? ""].slice(-TRAIL_MAX),
});

/** @returns the page before; the first one where the way back is not known, as with a link that was followed */
export const placeBefore = ({ trail }: Place): Place => ({
  after: trail.at(-1) || undefined,
  trail: trail.slice(0, -1),
});

/** @returns the query of a URL with these values; what is undefined or empty is left away */
export const queryOf = (values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return query === "" ? "" : `?${query}`;
};

/** The place that the URL shows, and how to go on from it. */
export const usePaging = () => {
  const search = useSearch();
  const place = placeOf(search, useHistoryState<unknown>());
  const go = ({ after, trail }: Place): void => {
    const others = Object.fromEntries(new URLSearchParams(search));
    navigate(location.pathname + queryOf({ ...others, after }), { state: trail });
  };
  return {
    place,
    search,
    onNext: (next: string) => go(placeBehind(place, next)),
    onBack: () => go(placeBefore(place)),
    toFirst: () => go({ after: undefined, trail: [] }),
  };
};
