import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** How a browser with scripts enabled interprets HTML. */
export interface HtmlView {
  readonly title: string;
  readonly lang: string | undefined;
  readonly text: string;
  /** Tag names and text of the headings. */
  readonly headings: readonly (readonly [string, string])[];
  /** Tables by row and cell. */
  readonly tables: readonly (readonly (readonly string[])[])[];
  readonly links: readonly string[];
  readonly pictures: readonly string[];
  /** List items: the enclosing lists, outermost first, and the item's text. */
  readonly items: readonly string[];
  /** Preformatted text, without its final line break. */
  readonly code: readonly string[];
  readonly rightToLeft: readonly string[];
  readonly strong: readonly string[];
  /** Everything that runs, loads or sends anything: elements, attributes, styles. */
  readonly unsafe: readonly string[];
}

export const viewHtml = (html: string): HtmlView => {
  const document = parse(html, { scriptingEnabled: true });
  const elements = below(document);
  const named = (...names: string[]) => elements.filter(({ tagName }) => names.includes(tagName));
  return {
    title: named("title").map(words)[0] ?? "",
    lang: named("html").map((root) => attribute(root, "lang"))[0],
    text: named("body").map(textOf).join("\n"),
    headings: named("h1", "h2", "h3").map((heading) => [heading.tagName, words(heading)] as const),
    tables: named("table").map((table) =>
      below(table)
        .filter(({ tagName }) => tagName === "tr")
        .map((row) =>
          below(row)
            .filter(({ tagName }) => /^t[dh]$/.test(tagName))
            .map(words),
        ),
    ),
    links: named("a").flatMap((link) => attribute(link, "href") ?? []),
    pictures: named("img").map((image) => attribute(image, "src") ?? ""),
    items: named("li").map((item) => [...listsAround(item), ownWords(item)].join(" ")),
    code: named("pre").map((pre) => textOf(pre).replace(/\n+$/, "")),
    rightToLeft: elements.filter((element) => isRightToLeft(element) && !isRightToLeft(element.parentNode)).map(words),
    strong: named("b", "strong").map(words),
    unsafe: elements.flatMap(dangers),
  };
};

const isRightToLeft = (node: Parent | null): boolean =>
  node !== null && "tagName" in node && attribute(node, "dir") === "rtl";

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

const below = (parent: Parent): Element[] =>
  parent.childNodes.flatMap((child) => ("tagName" in child ? [child, ...below(child)] : []));

const BLOCKS = /^(?:p|div|h[1-6]|li|tr|td|th|pre|section|br|table|blockquote)$/;

const textOf = (parent: Parent): string =>
  parent.childNodes
    .map((child) => {
      if ("value" in child) {
        return child.value;
      }
      const text = "childNodes" in child ? textOf(child) : "";
      return "tagName" in child && BLOCKS.test(child.tagName) ? `${text}\n` : text;
    })
    .join("");

const words = (parent: Parent): string => textOf(parent).replace(/\s+/g, " ").trim();

const ownWords = (item: Element): string =>
  words({
    ...item,
    childNodes: item.childNodes.filter((child) => !("tagName" in child) || !/^[uo]l$/.test(child.tagName)),
  });

const listsAround = (item: Element): string[] => {
  const lists: string[] = [];
  for (let node: Parent | null = item.parentNode; node !== null && "tagName" in node; node = node.parentNode) {
    if (/^[uo]l$/.test(node.tagName)) {
      lists.unshift(node.tagName);
    }
  }
  return lists;
};

const FORBIDDEN =
  /^(?:script|iframe|frame|frameset|object|embed|applet|form|base|link|svg|video|audio|source|track|template|noscript|button|select|textarea|portal)$/;
const LOADS = /^(?:src|srcset|data|poster|background|action|formaction|ping|manifest|code|codebase|xlink:href)$/;
const REACHES = /url\s*\(|@import|expression|javascript:|vbscript:|-moz-binding|behavior/i;

const dangers = (element: Element): string[] => {
  const { tagName, attrs } = element;
  const style = tagName === "style" ? textOf(element) : "";
  return [
    ...(FORBIDDEN.test(tagName) ? [tagName] : []),
    ...(tagName === "meta" && attribute(element, "http-equiv") !== undefined ? ["meta http-equiv"] : []),
    ...(REACHES.test(style) ? [`style: ${style}`] : []),
    ...attrs
      .filter(
        ({ name, value }) =>
          /^on/i.test(name) ||
          // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers remove them from addresses
          (name === "href" && !/^(?:https?:|mailto:|tel:|#|[^:]*$)/i.test(value.replace(/[\u0000-\u0020]/g, ""))) ||
          (LOADS.test(name) && !/^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,/.test(value)) ||
          (name === "style" && REACHES.test(value)) ||
          name === "srcdoc",
      )
      .map(({ name, value }) => `${tagName} ${name}=${value.slice(0, 80)}`),
  ];
};
