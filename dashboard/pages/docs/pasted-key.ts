import { signal } from "@preact/signals";

/** A key that the reader put into the quick start: in memory only, gone with the page. */
export const pastedKey = signal<string | undefined>(undefined);
