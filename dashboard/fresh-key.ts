import { computed, signal } from "@preact/signals";

/** An API key as it was made: whole. */
export interface MadeKey {
  readonly key: string;
  readonly name: string;
  readonly kind: "live" | "test";
  readonly scopes: readonly string[];
}

/**
 * The key that was made last, to fill in where it is shown how to use one. Whole keys are only here, in memory: they are
 * gone with the page, and with the session.
 */
export const freshKey = signal<string | undefined>(undefined);

const latest = signal<MadeKey | undefined>(undefined);

/** The same with what is known of it, until its owner says that it is saved. */
export const madeKey = computed<MadeKey | undefined>(() =>
  latest.value?.key === freshKey.value ? latest.value : undefined,
);

export const keepKey = ({ key, name, kind, scopes }: MadeKey): void => {
  latest.value = { key, name, kind, scopes };
  freshKey.value = key;
};

export const markSaved = (): void => {
  latest.value = undefined;
};

/** @param prefix of a key that no longer holds */
export const forgetKey = (prefix: string): void => {
  if (freshKey.value?.startsWith(prefix)) {
    freshKey.value = undefined;
    latest.value = undefined;
  }
};
