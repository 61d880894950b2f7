/**
 * @returns the text as it is safe to show in one line: without control characters and the marks that turn the direction of
 * writing, which can make a text look like another one, and without space around it; it may be empty
 */
export const cleanText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "").trim();
