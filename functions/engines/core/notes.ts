import type { Warning } from "../../domain/warning.ts";

/** Losses during a conversion, counted by warning code. */
export interface Notes<Code extends string> {
  /** @param count how often it happened; 0 adds nothing. @default 1 */
  add(code: Code, count?: number): void;
  warnings(): Warning[];
}

/** @param sentences the detail of each warning; `#` is replaced by the count */
export const newNotes = <Code extends string>(sentences: Readonly<Record<Code, string>>): Notes<Code> => {
  const counts = new Map<Code, number>();
  return {
    add: (code, count = 1) => {
      if (count > 0) {
        counts.set(code, (counts.get(code) ?? 0) + count);
      }
    },
    warnings: () => [...counts].map(([code, count]) => ({ code, detail: sentences[code].replace("#", String(count)) })),
  };
};
