import { expect } from "vitest";

/** Fails unless the words stand in the text, each behind the one before it. */
export const expectInOrder = (text: string, words: readonly string[]): void => {
  let at = 0;
  for (const word of words) {
    const found = text.indexOf(word, at);
    expect(found, `"${word}" stands behind what comes before it`).toBeGreaterThanOrEqual(at);
    at = found;
  }
};
