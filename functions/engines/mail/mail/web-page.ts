import { serialize } from "parse5";
import { HTML_PICTURES_BYTES_MAX, TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { readInput } from "../../core/input.ts";
import { decodeHtml } from "../../documents/html/reader.ts";
import {
  attributeOf,
  type HtmlElement,
  isElement,
  newElement,
  nodesBelow,
  parseHtml,
} from "../../documents/html/tree.ts";
import { type MimePart, mimeParts } from "./mime.ts";

/**
 * Reads a web page that a browser saved with its pictures and style sheets as one MIME message (RFC 2557).
 *
 * @returns the page as HTML that refers to nothing else in the file. It still needs cleaning
 * @throws JobError `source_corrupt` when the file has no page
 */
export const readWebPage = async (path: string): Promise<string> => {
  const parts = mimeParts(await readInput(path, { max: TEXT_BYTES_MAX, name: "web page" }));
  const page = parts.find(({ mediaType }) => mediaType === "text/html" || mediaType === "application/xhtml+xml");
  if (page === undefined) {
    throw new JobError("source_corrupt", "The file has no web page.");
  }
  const document = parseHtml(textOf(page));
  const state = { find: finder(parts, page.location), left: HTML_PICTURES_BYTES_MAX };
  // A list, because elements are replaced.
  for (const element of [...nodesBelow(document)].filter(isElement)) {
    inline(element, state);
  }
  return serialize(document);
};

/** Internet Explorer writes `x-user-defined` when it does not know the encoding. */
const textOf = ({ bytes, charset = "x-user-defined" }: MimePart): string => {
  try {
    return /^x-user-defined$/i.test(charset) ? decodeHtml(bytes) : new TextDecoder(charset).decode(bytes);
  } catch {
    // The declared name is not known.
    return decodeHtml(bytes);
  }
};

interface State {
  readonly find: Finder;
  /** Characters of pictures and fonts that may still be embedded. */
  left: number;
}

interface Finder {
  /** @returns the part with this address, and the address; undefined if the file does not have it */
  part(address: string, base?: string): { readonly part: MimePart; readonly url: string } | undefined;
  /** @returns the address in full, if the page has one */
  full(address: string, base?: string): string;
}

const finder = (parts: readonly MimePart[], location: string | undefined): Finder => {
  const known = new Map<string, MimePart>();
  for (const part of parts) {
    for (const name of [part.location, part.contentId && `cid:${part.contentId}`]) {
      if (name !== undefined && name !== "") {
        known.set(name, known.get(name) ?? part);
      }
    }
  }
  const full = (address: string, base = location): string => URL.parse(address, base)?.href ?? address;
  return {
    full,
    part: (address, base) => {
      const url = [address, full(address, base)].find((each) => known.has(each));
      const part = url === undefined ? undefined : known.get(url);
      return part === undefined || url === undefined ? undefined : { part, url };
    },
  };
};

const inline = (element: HtmlElement, state: State): void => {
  if (element.tagName === "link") {
    inlineSheet(element, state);
    return;
  }
  for (const attribute of element.attrs) {
    const { name, value } = attribute;
    if (name === "style") {
      attribute.value = withResources(value, state);
    } else if (
      name === "src" ||
      name === "background" ||
      name === "poster" ||
      (name === "href" && element.tagName === "image")
    ) {
      attribute.value = dataUriOf(value, state) ?? value;
    } else if (name === "href" && !value.startsWith("#")) {
      attribute.value = state.find.full(value);
    }
  }
  for (const text of element.tagName === "style" ? element.childNodes : []) {
    if ("value" in text) {
      text.value = withResources(withImports(text.value, state, {}), state);
    }
  }
};

/** An alternate style sheet applies only when the reader selects it. */
const inlineSheet = (link: HtmlElement, state: State): void => {
  const rel = (attributeOf(link, "rel") ?? "").toLowerCase().split(/\s+/);
  const found = state.find.part(attributeOf(link, "href") ?? "");
  if (rel.includes("alternate")) {
    link.attrs = [];
  }
  if (!rel.includes("stylesheet") || rel.includes("alternate") || found === undefined) {
    return;
  }
  const css = sheetOf(found, state, 0);
  const media = attributeOf(link, "media");
  const style = newElement("style", media === undefined ? {} : { media });
  // The end tag of a style cannot occur in it.
  style.childNodes = [{ nodeName: "#text", parentNode: style, value: css.replaceAll(/<\/style/gi, "<\\/style") }];
  Object.assign(link, { tagName: "style", nodeName: "style", attrs: style.attrs, childNodes: style.childNodes });
};

const IMPORTS_DEPTH_MAX = 5;

const sheetOf = ({ part, url }: { part: MimePart; url: string }, state: State, depth: number): string =>
  withResources(withImports(part.bytes.toString("utf8"), state, { base: url, depth }), state, url);

const IMPORT = /@import\s+(?:url\(\s*)?["']?([^"')\s;]{1,2000})["']?\s*\)?[^;{}]{0,200};/gi;

interface Nesting {
  readonly base?: string;
  readonly depth?: number;
}

const withImports = (css: string, state: State, { base, depth = 0 }: Nesting): string =>
  css.replace(IMPORT, (rule, address: string) => {
    const found = depth < IMPORTS_DEPTH_MAX ? state.find.part(address, base) : undefined;
    return found === undefined ? rule : sheetOf(found, state, depth + 1);
  });

const RESOURCE = /url\(\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^)\s"']{1,2000}))\s*\)/gi;

const withResources = (css: string, state: State, base?: string): string =>
  css.replace(RESOURCE, (all, double?: string, single?: string, plain?: string) => {
    const uri = dataUriOf(double ?? single ?? plain ?? "", state, base);
    return uri === undefined ? all : `url("${uri}")`;
  });

/** Pictures and fonts, which browsers show and do not run. */
const SHOWN = /^(?:image\/[\w.+-]{1,40}|font\/[\w.+-]{1,40}|application\/(?:x-)?font-[\w.+-]{1,40})$/;

const dataUriOf = (address: string, state: State, base?: string): string | undefined => {
  const part = address.startsWith("data:") ? undefined : state.find.part(address, base)?.part;
  if (part === undefined || !SHOWN.test(part.mediaType) || part.bytes.length * 1.4 > state.left) {
    return undefined;
  }
  const uri = `data:${part.mediaType};base64,${part.bytes.toString("base64")}`;
  state.left -= uri.length;
  return uri;
};
