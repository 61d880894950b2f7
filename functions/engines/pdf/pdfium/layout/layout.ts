import type { PageContent } from "../content/content.ts";
import { median } from "../page/geometry.ts";
import { withContinuations } from "./continuations.ts";
import { styleOf } from "./document-style.ts";
import type { DocumentLayout } from "./model.ts";
import { pageLayout } from "./page-layout.ts";
import { runningLines } from "./running-lines.ts";
import { uprightPage } from "./turned-pages.ts";

/** @param missing numbers of pages that could not be read @returns the layout of a document's pages */
export const layoutOf = (pages: readonly PageContent[], missing: readonly number[]): DocumentLayout => {
  const upright = pages.map(uprightPage);
  const contents = upright.map(({ content }) => content);
  const style = styleOf(contents);
  const running = runningLines(contents);
  const body = bodyOf(contents);
  const last = Math.max(0, ...pages.map(({ number }) => number), ...missing);
  const layouts = upright.map((page, index) =>
    pageLayout(page, {
      style,
      body,
      pages: last,
      running: running[index] ?? { words: new Set(), header: [], footer: [] },
    }),
  );
  return {
    pages: withContinuations(layouts),
    bodySize: style.bodySize,
    missing,
    empty: pages.every(({ words, turned }) => words.length + turned.length === 0),
  };
};

/** Lines that end near the right edge, from which on it is that of the body, and how near, as a share of the width. */
const FULL_LINES = 3;
const FULL = 0.85;

/** @returns the edges of the body of most pages; its margins are equal if no lines are full */
const bodyOf = (pages: readonly PageContent[]): { left: number; right: number } => {
  const edges = pages.flatMap(({ words, width }) => {
    const left = words.reduce((least, word) => Math.min(least, word.left), Number.POSITIVE_INFINITY);
    const right = words.reduce((most, word) => Math.max(most, word.right), 0);
    const reach = FULL * (right - left);
    const full = words.filter(
      (word, index) =>
        words[index + 1]?.baseline !== word.baseline &&
        (word.rtl ? word.left < right - reach : word.right > left + reach),
    ).length;
    const margin = Math.max(0, Math.min(left, width - right));
    return words.length === 0 ? [] : [full < FULL_LINES ? { left: margin, right: width - margin } : { left, right }];
  });
  return { left: median(edges.map(({ left }) => left)), right: median(edges.map(({ right }) => right)) };
};
