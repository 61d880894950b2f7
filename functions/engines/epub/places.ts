import { attributeOf, type HtmlElement, isElement, nodesBelow } from "../io/html-tree.ts";

interface Chapter {
  readonly number: number;
  /** @returns the number of the chapter that a reference leads to, when it is one of the book */
  readonly chapter: (reference: string) => number | undefined;
}

/**
 * Chapters that come into one document may have the same names for their places: each gets the chapter's number before
 * it, and links follow. A link to a file that is not there any more loses its target.
 */
export const renamePlaces = (body: HtmlElement, { number, chapter }: Chapter): void => {
  for (const element of [...nodesBelow(body)].filter(isElement)) {
    const href = element.tagName === "a" ? attributeOf(element, "href") : undefined;
    const target = href === undefined ? undefined : targetOf(href, number, chapter);
    const id = attributeOf(element, "id") ?? (element.tagName === "a" ? attributeOf(element, "name") : undefined);
    element.attrs = [
      ...element.attrs.filter(
        ({ name }) => !["id", "href"].includes(name) && (name !== "name" || element.tagName !== "a"),
      ),
      ...(id === undefined ? [] : [{ name: "id", value: `c${number}-${id}` }]),
      ...(target === undefined ? [] : [{ name: "href", value: target }]),
    ];
  }
};

const targetOf = (href: string, number: number, chapter: Chapter["chapter"]): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) {
    return href;
  }
  const [path = "", fragment = ""] = href.split("#", 2);
  const found = path === "" ? number : chapter(path);
  return found === undefined ? undefined : `#c${found}${fragment === "" ? "" : `-${fragment}`}`;
};
