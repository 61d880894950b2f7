import { storedList } from "../../../stored-list.ts";
import type { OptionValues } from "./schema-form.ts";

/** Remembers the options that were last used for a pair of formats, in this browser. */
export interface RememberedOptions {
  /** @returns the options; empty if there are none */
  find(source: string, target: string): OptionValues;
  /** Replaces the options of the pair. Empty options forget it. */
  keep(source: string, target: string, options: OptionValues): void;
}

const KEY = "anyform-options";
const KEPT_MAX = 50;
const CHARACTERS_MAX = 2_000;

/** Secrets, and values that expire or belong to one file. */
const NEVER_KEPT =
  /password|_upload_id$|^(?:cookies|request_headers|form_data|bookmarks|title|author|subject|keywords)$/;

/** @returns the options that can be used for other files */
export const reusable = (options: OptionValues): OptionValues =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !NEVER_KEPT.test(name)));

interface Kept {
  readonly pair: string;
  readonly options: OptionValues;
}

/** @param storage where they are kept; if it is full or not available, nothing is remembered */
export const rememberedIn = (storage: Pick<Storage, "getItem" | "setItem">): RememberedOptions => {
  const read = (): readonly Kept[] => storedList(textIn(storage), isKept);
  return {
    find: (source, target) => read().find(({ pair }) => pair === pairOf(source, target))?.options ?? {},
    keep: (source, target, options) => {
      const pair = pairOf(source, target);
      const kept = reusable(options);
      const isSmall = JSON.stringify(kept).length <= CHARACTERS_MAX;
      const others = read().filter((each) => each.pair !== pair);
      const all = Object.keys(kept).length > 0 && isSmall ? [{ pair, options: kept }, ...others] : others;
      store(storage, JSON.stringify(all.slice(0, KEPT_MAX)));
    },
  };
};

const pairOf = (source: string, target: string): string => `${source} ${target}`;

const textIn = (storage: Pick<Storage, "getItem">): string | null => {
  try {
    return storage.getItem(KEY);
  } catch {
    // The browser's settings forbid storage.
    return null;
  }
};

const store = (storage: Pick<Storage, "setItem">, text: string): void => {
  try {
    storage.setItem(KEY, text);
  } catch {
    // Full or forbidden: the options apply to this list only.
  }
};

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  "pair" in value &&
  typeof value.pair === "string" &&
  "options" in value &&
  typeof value.options === "object" &&
  value.options !== null &&
  !Array.isArray(value.options);
