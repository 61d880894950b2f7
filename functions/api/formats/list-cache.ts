import { gzipSync } from "node:zlib";
import type { Route, RouteTable } from "../../domain/conversions/plan.ts";
import type { FormatId } from "../../domain/formats/formats.ts";
import { type Cacheable, cacheableGzip } from "../middleware/cacheable.ts";
import { type FormatFilter, formatListView } from "./format-list.ts";

/**
 * Lists by filter, and conversions by their formats, compressed only. The lists without a source, a target and an engine are the expensive ones, and few:
 * two for each family and two of everything, 300 kB together. They are kept, so that no client can displace them.
 */
interface Lists {
  readonly kept: Map<string, Cacheable>;
  /** The rest, least recently used first. */
  readonly recent: Map<string, Cacheable>;
  recentBytes: number;
}

/** Maximum compressed bytes of the lists that are not kept, and of conversions: about 300 lists, or 1,500 conversions. */
const RECENT_BYTES_MAX = 1_000_000;

/** Lists with more uncompressed bytes are only sent compressed; the largest list of one source or target has 362,000. */
export const UNCOMPRESSED_BYTES_MAX = 500_000;

const listsOf = new WeakMap<RouteTable, Lists>();

/** @returns the list of the filter */
export const cachedList = (routes: RouteTable, filter: FormatFilter): Cacheable => {
  const lists = listsFor(routes);
  const key = JSON.stringify(filter);
  const { source, target, engine } = filter;
  if (source === undefined && target === undefined && engine === undefined) {
    const list = lists.kept.get(key) ?? compressed(formatListView(routes, filter));
    lists.kept.set(key, list);
    return list;
  }
  return recent(lists, key, () => compressed(formatListView(routes, filter)));
};

/**
 * @param further formats that are merged with the route's
 * @returns the details of the route's conversion
 */
export const cachedConversion = (
  routes: RouteTable,
  { from, to }: Route,
  further: readonly FormatId[],
  view: () => unknown,
): Cacheable => recent(listsFor(routes), [from, to, ...further].join(" "), () => compressed(view()));

const listsFor = (routes: RouteTable): Lists => {
  const lists = listsOf.get(routes) ?? { kept: new Map(), recent: new Map(), recentBytes: 0 };
  listsOf.set(routes, lists);
  return lists;
};

const recent = (lists: Lists, key: string, make: () => Cacheable): Cacheable => {
  const list = lists.recent.get(key) ?? make();
  remember(lists, key, list);
  return list;
};

/** Makes the list the most recently used one, and removes the least recently used ones above the limit. */
const remember = (lists: Lists, key: string, list: Cacheable): void => {
  lists.recentBytes += list.gzip.length - (lists.recent.get(key)?.gzip.length ?? 0);
  lists.recent.delete(key);
  lists.recent.set(key, list);
  for (const [oldest, { gzip }] of lists.recent) {
    if (lists.recentBytes <= RECENT_BYTES_MAX) {
      return;
    }
    lists.recent.delete(oldest);
    lists.recentBytes -= gzip.length;
  }
};

const compressed = (view: unknown): Cacheable => {
  const content = Buffer.from(JSON.stringify(view));
  const list = cacheableGzip(gzipSync(content), "application/json");
  return content.length > UNCOMPRESSED_BYTES_MAX ? { ...list, plain: undefined } : list;
};
