import { signal } from "@preact/signals";

/** A key that the user pasted into the quick start. It is kept only in memory. */
export const pastedKey = signal<string | undefined>(undefined);
