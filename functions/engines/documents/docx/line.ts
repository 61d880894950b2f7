import { Bookmark, ExternalHyperlink, ImageRun, InternalHyperlink, type ParagraphChild, TextRun } from "docx";
import { bytesOfDataUri, pictureHeader } from "../../pictures/files/header.ts";
import { isRightToLeft } from "../html/direction.ts";
import { attributeOf, type HtmlElement, withoutControls } from "../html/tree.ts";
import { type Context, type Format, type State, spend } from "./state.ts";

/** The text and pictures of a paragraph while it is being written. */
export interface Line {
  isEmpty(): boolean;
  /** Whitespace is collapsed as in a browser, unless the element is preformatted. */
  addText(text: string, context: Context): void;
  /** @returns whether the element is a self-contained inline element: a picture, a line break, a checkbox */
  addElement(element: HtmlElement, context: Context): boolean;
  /** Adds a bookmark for an element that is a link target. */
  addBookmark(element: HtmlElement): void;
  /** @returns the added content; the line is then empty */
  take(context: Context): ParagraphChild[];
}

type Piece =
  | { readonly text: string; readonly format: Format }
  | { readonly child: ParagraphChild; readonly link: string | undefined };

/** @returns an empty line */
export const lineOf = (state: State): Line => {
  let pieces: Piece[] = [];
  let bookmarks: string[] = [];
  const add = (piece: Piece): void => {
    spend(state, 1);
    pieces.push(piece);
  };
  return {
    isEmpty: () => pieces.length === 0,
    addText: (text, { format, preformatted }) => {
      const last = pieces.at(-1);
      const begins = last === undefined || ("text" in last && /\s$/.test(last.text));
      const plain = withoutControls(text);
      const shown = preformatted ? plain : plain.replace(/[ \t\r\n\f]+/g, " ").replace(begins ? /^ / : /^$/, "");
      if (shown !== "") {
        add({ text: shown, format });
      }
    },
    addElement: (element, { format }) => {
      const text = STANDING[element.tagName]?.(element);
      if (text !== undefined) {
        add({ text, format });
      } else if (element.tagName === "img") {
        const picture = pictureOf(element);
        state.picturesDropped += picture === undefined ? 1 : 0;
        add(
          picture === undefined
            ? { text: attributeOf(element, "alt") ?? "", format }
            : { child: picture, link: format.link },
        );
      }
      return text !== undefined || element.tagName === "img";
    },
    addBookmark: (element) => {
      for (const name of [attributeOf(element, "id"), attributeOf(element, "name")]) {
        const bookmark = name === undefined ? undefined : state.bookmarks.get(name);
        if (bookmark !== undefined && !state.set.has(bookmark)) {
          state.set.add(bookmark);
          bookmarks.push(bookmark);
        }
      }
    },
    take: ({ preformatted }) => {
      const marks = bookmarks.map((id) => new Bookmark({ id, children: [] }));
      const children = linked(withoutEnd(pieces, preformatted));
      [pieces, bookmarks] = [[], []];
      return [...marks, ...children];
    },
  };
};

const STANDING: Readonly<Record<string, (element: HtmlElement) => string>> = {
  br: () => "\n",
  wbr: () => "\u200b",
  input: (element) => (attributeOf(element, "checked") === undefined ? "☐" : "☑"),
};

/** Browsers show no space at the end of a line, and no empty line at the end of a code block. */
const withoutEnd = (pieces: readonly Piece[], preformatted: boolean): Piece[] =>
  pieces.map((piece, index) =>
    index === pieces.length - 1 && "text" in piece
      ? { ...piece, text: preformatted ? piece.text.replace(/\n$/, "") : piece.text.trimEnd() }
      : piece,
  );

/** Consecutive pieces with the same target become one link. */
const linked = (pieces: readonly Piece[]): ParagraphChild[] => {
  const groups: { readonly link: string | undefined; readonly runs: ParagraphChild[] }[] = [];
  for (const piece of pieces) {
    const [link, last] = [leadsTo(piece), groups.at(-1)];
    const runs = runsOf(piece);
    if (last !== undefined && last.link === link) {
      last.runs.push(...runs);
    } else {
      groups.push({ link, runs });
    }
  }
  return groups.flatMap(({ link, runs }) => (link === undefined ? runs : [hyperlink(link, runs)]));
};

const leadsTo = (piece: Piece): string | undefined => ("text" in piece ? piece.format.link : piece.link);

const hyperlink = (link: string, children: ParagraphChild[]): ParagraphChild =>
  link.startsWith("#")
    ? new InternalHyperlink({ anchor: link.slice(1), children })
    : new ExternalHyperlink({ link, children });

const runsOf = (piece: Piece): ParagraphChild[] => {
  if (!("text" in piece)) {
    return [piece.child];
  }
  const { link: _, ...format } = piece.format;
  const rightToLeft = isRightToLeft(piece.text) ? { rightToLeft: true } : {};
  return piece.text
    .split("\n")
    .flatMap((text, index) =>
      text === "" && index === 0
        ? []
        : [new TextRun({ ...format, ...rightToLeft, text, ...(index > 0 && { break: 1 }) })],
    );
};

/** Pixels at 96 DPI between the margins of an A4 page. */
const WIDTH_MAX = 600;
const HEIGHT_MAX = 860;
const UNKNOWN_SIDE = 300;

const pictureOf = (element: HtmlElement): ParagraphChild | undefined => {
  const data = bytesOfDataUri(attributeOf(element, "src") ?? "");
  const { kind, width, height } = pictureHeader(data) ?? {};
  if (kind === undefined || kind === "svg" || kind === "webp") {
    return undefined;
  }
  const declared = ["width", "height"].map((name) => Number.parseInt(attributeOf(element, name) ?? "", 10) || 0);
  const transformation = fitted([width || UNKNOWN_SIDE, height || UNKNOWN_SIDE], declared);
  const alt = attributeOf(element, "alt") ?? "";
  return new ImageRun({ type: kind, data, transformation, altText: { name: alt, description: alt, title: "" } });
};

const fitted = ([width = 1, height = 1]: readonly number[], [wide = 0, high = 0]: readonly number[]) => {
  const [w, h] = [wide || (high ? (width * high) / height : width), high || (wide ? (height * wide) / width : height)];
  const scale = Math.min(1, WIDTH_MAX / w, HEIGHT_MAX / h);
  return { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) };
};
