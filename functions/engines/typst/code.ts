/**
 * Typst code that we write ourselves. Whatever comes from an input stands in it as a string literal and nowhere else, so
 * no input can run code, read a file or ask for a package.
 */
export type Code = string;

/** @returns a text as a string literal of Typst (reference, "String") */
export const quoted = (text: string): Code => {
  const plain = text
    .toWellFormed()
    .replace(NEVER_SHOWN, "")
    .replace(/["\\]/g, (letter) => `\\${letter}`);
  return `"${plain.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
};

/** Control characters have no look. */
const NEVER_SHOWN = /(?![\t\n\r])\p{Cc}/gu;

/** @returns what the pieces make when they follow each other */
export const joined = (pieces: readonly Code[]): Code => `{${pieces.join("\n")}}`;

/** @returns a call with content as its last argument; arguments are code of our own */
export const call = (name: string, content: readonly Code[], ...options: readonly Code[]): Code =>
  `${name}(${[...options, joined(content)].join(", ")})`;
