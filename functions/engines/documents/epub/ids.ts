import { attributeOf, type HtmlElement, isElement, nodesBelow } from "../html/tree.ts";

interface Chapter {
  readonly number: number;
  /** @returns the number of the chapter that a reference points to, if it is in the book */
  readonly chapter: (reference: string) => number | undefined;
}

/**
 * Chapters that are merged into one document may use the same IDs. Each ID gets the chapter number as a prefix, and
 * links are updated. A link to a file that is not in the document loses its target.
 */
export const prefixIds = (body: HtmlElement, { number, chapter }: Chapter): void => {
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
