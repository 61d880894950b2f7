import { expect } from "vitest";

/** Fails unless the words appear in the text in order. */
export const expectInOrder = (text: string, words: readonly string[]): void => {
  let at = 0;
  for (const word of words) {
    const found = text.indexOf(word, at);
    expect(found, `"${word}" follows the previous word`).toBeGreaterThanOrEqual(at);
    at = found;
  }
};
