import {
  attributeOf,
  type HtmlDocument,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isHtml,
  newElement,
  nodesBelow,
} from "../html/tree.ts";

/**
 * A book is printed in groups of chapters, because the browser keeps the layout of all pages in memory: 150,000 elements
 * of formulas took 2.5 GB. Links between groups lead to a host that does not exist, and get their target when the
 * printed groups are joined.
 */

/** Elements up to which a document is printed at once, with tags and outline. */
const WHOLE_ELEMENTS_MAX = 30_000;

/** Elements of a group; a chapter with more is a group by itself. */
const GROUP_ELEMENTS = 10_000;

/** The host of links to other groups; `.invalid` is never a registered domain (RFC 2606). */
export const OTHER_GROUP_URL = "https://other-group.invalid/";

export interface ChapterGroup {
  readonly nodes: HtmlNode[];
  readonly elements: number;
}

/** @returns the document's own body */
export const bodyOf = (document: HtmlDocument): HtmlElement | undefined =>
  document.childNodes
    .filter(isElement)
    .flatMap(({ childNodes }) => childNodes.filter(isElement))
    .find((element) => element.tagName === "body" && isHtml(element));

/** @returns the content of the body in groups of chapters; empty if it has no chapters, or is small */
export const chapterGroups = (body: HtmlElement): readonly ChapterGroup[] => {
  const sizes = body.childNodes.map((node) => (isElement(node) ? 1 + elementCount(node) : 0));
  const chapters = body.childNodes.filter(isChapter).length;
  if (chapters < 2 || sizes.reduce((sum, size) => sum + size, 0) <= WHOLE_ELEMENTS_MAX) {
    return [];
  }
  const groups: { nodes: HtmlNode[]; elements: number }[] = [];
  for (const [index, node] of body.childNodes.entries()) {
    const [size, last] = [sizes[index] ?? 0, groups.at(-1)];
    if (last === undefined || (isChapter(node) && last.elements > 0 && last.elements + size > GROUP_ELEMENTS)) {
      groups.push({ nodes: [node], elements: size });
    } else {
      last.nodes.push(node);
      last.elements += size;
    }
  }
  connect(groups);
  return groups;
};

const elementCount = (element: HtmlElement): number => [...nodesBelow(element)].filter(isElement).length;

/** As our readers of books write chapters. */
const isChapter = (node: HtmlNode): boolean =>
  isElement(node) && node.tagName === "section" && /^(?:chapter|cover)$/.test(attributeOf(node, "class") ?? "");

/**
 * Leads links to other groups to {@link OTHER_GROUP_URL}. The browser writes a destination only for what a link of the
 * group leads to, so the group of the target gets a hidden link.
 */
const connect = (groups: readonly ChapterGroup[]): void => {
  const contents = groups.map(({ nodes }) =>
    nodes.filter(isElement).flatMap((node) => [node, ...[...nodesBelow(node)].filter(isElement)]),
  );
  const groupOf = new Map(
    contents.flatMap((elements, group) =>
      elements.flatMap((element) =>
        [attributeOf(element, "id") ?? attributeOf(element, "name")].map((id) => [id, group]),
      ),
    ),
  );
  const wanted = groups.map(() => new Set<string>());
  for (const [group, elements] of contents.entries()) {
    for (const link of elements.filter(({ tagName }) => tagName === "a")) {
      const href = link.attrs.find(({ name, value }) => name === "href" && value.startsWith("#"));
      const target = href && groupOf.get(decoded(href.value.slice(1)));
      if (href !== undefined && target !== undefined && target !== group) {
        wanted[Number(target)]?.add(href.value);
        href.value = OTHER_GROUP_URL + href.value;
      }
    }
  }
  for (const [group, { nodes }] of groups.entries()) {
    const links = newElement("div", { hidden: "" });
    links.childNodes = [...(wanted[group] ?? [])].map((href) => newElement("a", { href }));
    nodes.push(links);
  }
};

/** @returns the fragment of a URL without percent signs */
export const decoded = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};
