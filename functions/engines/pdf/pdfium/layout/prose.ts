import { around, median } from "../page/geometry.ts";
import type { Line } from "./rows.ts";

/** What lines of prose have in common, other than cells of tables. */

/** @returns the share of lines that begin with a small letter, after a line that ends no sentence */
export const flowOf = (lines: readonly Line[]): number => {
  const following = lines.slice(1).filter((line, index) => {
    const end = lines[index]?.words.at(-1)?.text ?? "";
    return /^\p{Ll}/u.test(line.words[0]?.text ?? "") && /[\p{L}\p{N},;\-\u2010)]$/u.test(end);
  });
  return following.length / Math.max(1, lines.length - 1);
};

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** A Chinese, Japanese or Korean character counts as two letters. */
export const lengthOf = ({ words }: Line): number =>
  words.reduce((sum, { text }) => sum + text.length + (text.match(WIDE)?.length ?? 0) + 1, -1);

/** @returns the median share of the width that lines fill, among lines that begin at about the same place */
export const fillOf = (pieces: readonly Line[], size: number): number => {
  const groups = Map.groupBy(pieces, ({ left }) => Math.floor(left / (4 * size)));
  return median(
    [...groups.values()].flatMap((group) => {
      const { left, right } = around(group);
      return group.map((piece) => (piece.right - piece.left) / (right - left));
    }),
  );
};
