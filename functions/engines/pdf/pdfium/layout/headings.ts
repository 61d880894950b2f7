import type { Word } from "../content/content.ts";
import type { DocumentStyle } from "./document-style.ts";

/** What decides whether a line is a heading. */
interface HeadingLine {
  readonly text: string;
  readonly size: number;
  readonly bold: boolean;
  readonly words: readonly Word[];
  /** The mark of a list item or numbered heading. */
  readonly mark: unknown;
}

const HEADING_CHARACTERS_MAX = 200;
const HEADING_LINES_MAX = 4;
const BOLD_CHARACTERS_MAX = 120;

/** @returns the level of a heading: tagged, large, or bold on a separate line */
export const headingLevel = (
  lines: readonly HeadingLine[],
  next: readonly HeadingLine[] | undefined,
  { bodySize, headingSizes, bold }: DocumentStyle,
): number | undefined => {
  const text = lines.map((line) => line.text).join(" ");
  const [first] = lines;
  const tag = first?.words[0]?.tag;
  if (tag?.role === "heading") {
    return Math.min(6, tag.level ?? 1);
  }
  if (
    first === undefined ||
    (tag !== undefined && tag.role !== "paragraph") ||
    lines.length > HEADING_LINES_MAX ||
    text.length > HEADING_CHARACTERS_MAX ||
    !/\p{L}{2}|\p{Lo}/u.test(text) ||
    /^[•◦▪●○■\uf000-\uf0ff]/u.test(text)
  ) {
    return undefined;
  }
  const bySize = headingSizes.findIndex((size) => first.size > size - 0.5);
  if (bySize !== -1) {
    return bySize + 1;
  }
  const isBold =
    !bold &&
    lines.every((line) => line.bold) &&
    text.length < BOLD_CHARACTERS_MAX &&
    lines.length < 3 &&
    first.size > 0.95 * bodySize &&
    !/[.,;:]$/.test(text) &&
    next?.[0] !== undefined &&
    !next[0].bold &&
    !(first.mark !== undefined && next[0].mark !== undefined);
  return isBold ? Math.min(6, headingSizes.length + 1) : undefined;
};
