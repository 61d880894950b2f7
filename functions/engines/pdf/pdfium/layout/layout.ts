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

/** @returns the edges of the text of most pages */
const bodyOf = (pages: readonly PageContent[]): { left: number; right: number } => {
  const filled = pages.filter(({ words }) => words.length > 0);
  return {
    left: median(
      filled.map(({ words }) => words.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)),
    ),
    right: median(filled.map(({ words }) => words.reduce((most, { right }) => Math.max(most, right), 0))),
  };
};
