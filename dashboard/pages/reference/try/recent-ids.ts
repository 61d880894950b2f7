import { signal } from "@preact/signals";

/** IDs in the responses to requests of this page, newest first, by their prefix such as `upl`. Kept only in memory. */
const recent = signal<Readonly<Record<string, readonly string[]>>>({});

const ID = /\b(upl|job|pip|msg|dl)_[0-9A-Za-z]{8,}\b/g;

const WHOLE_ID = new RegExp(`^${ID.source}$`);

/** IDs of one kind that are kept. */
const KEPT_MAX = 10;

/** Remembers the IDs in a response, so that the next request can use them. */
export const rememberIds = (text: string): void => {
  const found = new Map<string, string>([...text.matchAll(ID)].map(([id, prefix = ""]) => [id, prefix]));
  const next: Record<string, readonly string[]> = { ...recent.peek() };
  for (const [id, prefix] of found) {
    next[prefix] = [id, ...(next[prefix] ?? []).filter((other) => other !== id)].slice(0, KEPT_MAX);
  }
  recent.value = next;
};

/**
 * @param mode `only recent`: an ID without a newer one becomes undefined
 * @returns an example in which IDs are those of the latest responses
 */
export const withRecentIds = (example: unknown, mode?: "only recent"): unknown => {
  const examples: string[] = [];
  const newest = (id: string, prefix: string): string | undefined => {
    if (!examples.includes(id)) {
      examples.push(id);
    }
    const ids = recent.value[prefix] ?? [];
    return ids[examples.indexOf(id)] ?? ids[0];
  };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(replace);
    }
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each)]));
    }
    const [id, prefix] = typeof value === "string" ? (WHOLE_ID.exec(value) ?? []) : [];
    return id === undefined || prefix === undefined
      ? value
      : (newest(id, prefix) ?? (mode === undefined ? value : undefined));
  };
  return replace(example);
};
