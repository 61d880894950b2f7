import type { PageContent } from "../content/content.ts";
import { median } from "../page/geometry.ts";
import { withContinuations } from "./continuations.ts";
import { styleCounter } from "./document-style.ts";
import type { DocumentLayout, PageLayout } from "./model.ts";
import { pageLayout } from "./page-layout.ts";
import { pageStore } from "./page-store.ts";
import { runningCounter } from "./running-lines.ts";
import { type UprightPage, uprightPage } from "./turned-pages.ts";

/** Collects the content of pages. The layout of a page depends on all of them. */
export interface PageCollector {
  add(page: PageContent): void;
  /** @param missing numbers of pages that could not be read @returns the layout of all pages */
  layout(missing: readonly number[]): DocumentLayout;
}

/** @param folder where the pages of a long document are stored */
export const pageCollector = (folder: string): PageCollector => {
  const contents = pageStore<UprightPage>(folder, "contents");
  const [styles, running] = [styleCounter(), runningCounter()];
  const edges: Edges[] = [];
  let [empty, last] = [true, 0];
  return {
    add: (page) => {
      const upright = uprightPage(page);
      const { content } = upright;
      contents.add(upright);
      styles.add(content);
      running.add(content);
      edges.push(...edgesOf(content));
      empty &&= page.words.length + page.turned.length === 0;
      last = Math.max(last, page.number);
    },
    layout: (missing) => {
      const style = styles.style();
      const runningOn = running.running();
      const body = {
        left: median(edges.map(({ left }) => left)),
        right: median(edges.map(({ right }) => right)),
      };
      const known = { style, body, pages: Math.max(last, ...missing) };
      const laidOut = function* (): Generator<PageLayout> {
        for (const page of contents) {
          yield pageLayout(page, { ...known, running: runningOn(page.content) });
        }
      };
      const pages = pageStore<PageLayout>(folder, "layouts");
      for (const page of withContinuations(laidOut())) {
        pages.add(page);
      }
      contents.clear();
      return { pages, bodySize: style.bodySize, missing, empty };
    },
  };
};

/** The left and right edge of the body. */
interface Edges {
  readonly left: number;
  readonly right: number;
}

/** Lines that end near the right edge, from which on it is that of the body, and how near, as a share of the width. */
const FULL_LINES = 3;
const FULL = 0.85;

/** @returns the edges of the page's body; its margins are equal if no lines are full */
const edgesOf = ({ words, width }: PageContent): Edges[] => {
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
};
