import { isRightToLeft } from "../io/html-direction.ts";
import { type Code, quoted } from "./code.ts";
import { FIXED_FONTS, type PageLayout } from "./page.ts";

/** Columns between two stops of the tabulator. */
const TAB_COLUMNS = 8;

/**
 * @returns code that sets a plain text as it stands: in letters of one width, line by line; too long lines are broken,
 * and a form feed begins a page
 */
export const plainText = (text: string, { code }: PageLayout): Code => {
  const pages = text
    .replace(/\r\n?/g, "\n")
    .replace(/\n$/, "")
    .split("\f")
    .map((page) => page.split("\n").map(lineOf).join("\n"));
  return [
    code,
    `#set text(font: ${FIXED_FONTS}, size: 9.5pt)`,
    "#set par(spacing: 0.55em, leading: 0.55em)",
    "#let right-to-left(body) = { set text(dir: rtl); par(body) }",
    `#{${pages.join("\npagebreak()\n")}}`,
  ].join("\n");
};

const lineOf = (line: string): Code => {
  const text = expanded(line);
  if (text.trim() === "") {
    return "par(box(height: 1em))";
  }
  return isRightToLeft(text) ? `right-to-left(${quoted(text)})` : `par(${quoted(text)})`;
};

const expanded = (line: string): string => {
  if (!line.includes("\t")) {
    return line;
  }
  let column = 0;
  return Array.from(line, (letter) => {
    const width = letter === "\t" ? TAB_COLUMNS - (column % TAB_COLUMNS) : 1;
    column += width;
    return letter === "\t" ? " ".repeat(width) : letter;
  }).join("");
};

/** @returns how many lines {@link plainText} sets */
export const countLines = (text: string): number => text.split(/\r\n?|\n|\f/).length;
