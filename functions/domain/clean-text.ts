/**
 * @returns text that is safe to show in one line: trimmed, and without control characters and bidirectional marks,
 * which can disguise text; can be empty
 */
export const cleanText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "").trim();
