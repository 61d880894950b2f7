import { computed, signal } from "@preact/signals";

/** A new API key, complete. */
export interface NewKey {
  readonly key: string;
  readonly name: string;
  readonly kind: "live" | "test";
  readonly scopes: readonly string[];
}

/**
 * The key that was created last, to fill in code examples. Complete keys exist only here, in memory: they are gone when
 * the page is closed or the session ends.
 */
export const freshKey = signal<string | undefined>(undefined);

const latest = signal<NewKey | undefined>(undefined);

/** The same key with its properties, until its owner confirms that it is saved. */
export const newKey = computed<NewKey | undefined>(() =>
  latest.value?.key === freshKey.value ? latest.value : undefined,
);

export const keepKey = ({ key, name, kind, scopes }: NewKey): void => {
  latest.value = { key, name, kind, scopes };
  freshKey.value = key;
};

export const markSaved = (): void => {
  latest.value = undefined;
};

/** @param prefix of a key that is no longer valid */
export const forgetKey = (prefix: string): void => {
  if (freshKey.value?.startsWith(prefix)) {
    freshKey.value = undefined;
    latest.value = undefined;
  }
};
