import type { Block, PageBlocks, Paragraph, PlacedBlock } from "./blocks.ts";
import { joinRuns, type Run, textOf } from "./pieces.ts";

/** Joins sentences that a line, column or page end interrupted. */

export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，．：；！？「」『』（）]/u;

/** @returns two lines as one: divided words are joined, others are separated by a space if their script uses spaces */
export const flowing = (runs: readonly Run[], more: readonly Run[]): Run[] => {
  const [last, next] = [runs.at(-1), more[0]];
  if (last === undefined || next === undefined) {
    return [...runs, ...more];
  }
  const divided = /[\p{L}\p{M}]([-\u00ad\u2010])$/u.exec(last.text)?.[1];
  const lower = /^\p{Ll}/u.test(next.text);
  if (divided !== undefined && (lower || divided === "\u00ad")) {
    return joinRuns([...runs.slice(0, -1), { ...last, text: last.text.slice(0, -1) }, ...more]);
  }
  const together = CJK.test(last.text.at(-1) ?? "") && CJK.test(next.text.at(0) ?? "");
  const glued = together || /[-\u00ad\u2010/–]$/u.test(last.text);
  return joinRuns([...runs, { ...next, text: glued ? next.text : ` ${next.text}` }, ...more.slice(1)]);
};

/** @returns the pages with paragraphs joined across page ends; a joined paragraph is on the page where it starts */
export const joinPages = (pages: readonly PageBlocks[]): PageBlocks[] => {
  const joined: PageBlocks[] = [];
  for (const { number, blocks } of pages) {
    const before = joined.at(-1);
    const [last, first] = [before?.blocks.at(-1), blocks[0]];
    if (before !== undefined && last?.kind === "paragraph" && first?.kind === "paragraph" && isParted(last, first)) {
      const merged = { ...last, runs: flowing(last.runs, first.runs) };
      joined[joined.length - 1] = { ...before, blocks: [...before.blocks.slice(0, -1), merged] };
      joined.push({ number, blocks: blocks.slice(1) });
    } else {
      joined.push({ number, blocks });
    }
  }
  return joined;
};

/** @returns the blocks with paragraphs joined across column ends */
export const joinParted = (blocks: readonly PlacedBlock[]): Block[] => {
  const joined: Block[] = [];
  for (const { block, first } of blocks) {
    const last = joined.at(-1);
    if (first && last?.kind === "paragraph" && block.kind === "paragraph" && isParted(last, block)) {
      joined[joined.length - 1] = { ...last, runs: flowing(last.runs, block.runs) };
    } else {
      joined.push(block);
    }
  }
  return joined;
};

const isParted = (one: Paragraph, other: Paragraph): boolean =>
  /[\p{L},\-\u00ad\u2010]$/u.test(textOf(one.runs)) &&
  /^\p{Ll}/u.test(textOf(other.runs)) &&
  Math.abs((one.runs.at(-1)?.size ?? 0) - (other.runs[0]?.size ?? 0)) < 1;
