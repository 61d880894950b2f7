import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";
import { expect } from "vitest";
import { readXml, type XmlElement } from "../../../functions/engines/data/text/xml.ts";
import {
  DOCUMENT_CODE,
  DOCUMENT_HEBREW,
  DOCUMENT_LINK,
  DOCUMENT_ROWS,
  DOCUMENT_TITLE,
  DOCUMENT_WORDS,
  MARKUP_SOURCES,
} from "../support/document.ts";
import { viewHtml } from "../support/documents/html.ts";
import { expectInOrder } from "../support/in-order.ts";
import { withTool } from "../support/tools.ts";
import type { Check, Checks, Result } from "./contract.ts";

/** Content checks of markup languages. Each result is checked as text, or with a different reader. */

/** Sources whose samples keep the document's complete structure. */
const ORDERED: readonly string[] = ["html", "md", "docx", "odt", "epub", ...MARKUP_SOURCES];
const SAME: readonly string[] = [...ORDERED, "txt", "mobi", "azw3", "fb2", "opml", "man"];

/** Fails unless the words appear in the text in order. */
const expectWords = (text: string, { from }: Result): void => {
  const flat = text.replace(/\s+/g, " ");
  if (!SAME.includes(from)) {
    expect(flat).toMatch(/[\p{L}\p{N}]{2}/u);
    return;
  }
  expectInOrder(flat, DOCUMENT_WORDS);
};

interface Shape {
  /** Markup expected for the document's elements, in order. */
  readonly marks: readonly RegExp[];
  /** @returns the text with escape sequences replaced by characters */
  readonly plain?: (text: string) => string;
}

const LINK = DOCUMENT_LINK.replaceAll(".", "\\.");

const shapes = {
  tex: {
    marks: [
      /^\\documentclass/m,
      /\\(?:title|section)\{Harbour report\}/,
      /\\textbf\{bold\}, \\emph\{italic\}/,
      new RegExp(`\\\\href\\{${LINK}\\}\\{link\\}`),
      /\\begin\{itemize\}[\s\S]*Sails\s+\\begin\{itemize\}[\s\S]*Jib[\s\S]*\\end\{itemize\}/,
      /\\begin\{enumerate\}/,
      /\\begin\{longtable\}/,
      /Łukasz & Polska & 7 \\\\/,
      /\\begin\{verbatim\}|\\begin\{lstlisting\}|\\begin\{Highlighting\}/,
    ],
    plain: (text: string) =>
      text
        .replaceAll("--", "–")
        .replaceAll("\\textless{}", "<")
        .replaceAll("\\ ", " ")
        .replace(/\\([{}])/g, "$1"),
  },
  rst: {
    marks: [
      /^Harbour report\n=+$/m,
      /\*\*bold\*\*, \*italic\*/,
      new RegExp(`\`link <${LINK}>\`__?`),
      /^- +Sails\n\n +- +Jib$/m,
      /^[1#]\. +Cast off$/m,
      /^(?:=+ =+ =+$|\+-+\+-+\+-+\+$)/m,
      /::[^\n]*\n\n +if \(a/,
    ],
  },
  asciidoc: {
    marks: [
      /^=+ Harbour report$/m,
      /\*bold\*, _italic_/,
      new RegExp(`${LINK}\\[link\\]`),
      /^\* Sails\n\*\* Jib$/m,
      /^\. Cast off$/m,
      /^\|===\n[\s\S]*Łukasz *\|Polska *\|7/m,
      /^(?:\.\.\.\.|----)\nif \(a < b\)/m,
    ],
    plain: (text: string) => text.replaceAll("--", "–").replaceAll("\\{", "{"),
  },
  org: {
    marks: [
      /^(?:#\+title:|\*) Harbour report$/im,
      /\*bold\*, \/italic\//,
      new RegExp(`\\[\\[${LINK}\\]\\[link\\]\\]`),
      // Items of AsciiDoc are paragraphs.
      /^- Sails\n\n? +- Jib$/m,
      /^1\. Cast off$/m,
      /^\| Łukasz +\| Polska +\| 7 +\|$/m,
      /^ *#\+begin_(?:example|src[^\n]*)\n *if \(a/im,
    ],
    plain: (text: string) => text.replaceAll("--", "–"),
  },
  mediawiki: {
    marks: [
      /^= Harbour report =$/m,
      /'''bold''', ''italic''/,
      new RegExp(`\\[${LINK} link\\]`),
      /^\* Sails\n\*\* Jib$/m,
      /^# Cast off$/m,
      /^\{\|[\s\S]*^\|(?:[^|\n]*\|)? ?Łukasz\n\|(?:[^|\n]*\|)? ?Polska/m,
      /<(?:pre|syntaxhighlight)[^>]*>\s*if \(a/,
    ],
    plain: (text: string) => text.replaceAll("&lt;", "<"),
  },
  dokuwiki: {
    marks: [
      /^=+ Harbour report =+$/m,
      /\*\*bold\*\*, \/\/italic\/\//,
      new RegExp(`\\[\\[${LINK}\\|link\\]\\]`),
      /^ {2}\* Sails\n {4}\* Jib$/m,
      /^ {2}- Cast off$/m,
      /^\^ ?Name[\s\S]*^\| ?Łukasz *\|/m,
      /<code[^>]*>\s*if \(a/,
    ],
  },
  textile: {
    marks: [
      /^h1\. Harbour report$/m,
      /\*bold\*, _italic_/,
      new RegExp(`"link":${LINK}`),
      /^\* Sails\n\*\* Jib$/m,
      /^# Cast off$/m,
      /^\|(?:<\. )?Łukasz\|(?:<\. )?Polska\|/m,
      /^(?:bc(?:\(\w+\))?\. |<pre[^>]*><code>)if \(a/m,
    ],
    plain: (text: string) => text.replace(/ +- +/g, " – ").replaceAll("&lt;", "<"),
  },
} as const satisfies Record<string, Shape>;

const written =
  ({ marks, plain = (text) => text }: Shape): Check =>
  (result) => {
    const text = readFileSync(result.path, "utf8");
    expectWords(plain(text), result);
    if (ORDERED.includes(result.from)) {
      expect(marks.filter((mark) => !mark.test(text))).toEqual([]);
    }
  };

const elementsOf = (element: XmlElement): XmlElement[] => [
  element,
  ...element.children.flatMap((child) => (typeof child === "string" ? [] : elementsOf(child))),
];

const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");

const words = (element: XmlElement): string => textOf(element).replace(/\s+/g, " ").trim();

/** @param names of table rows, table cells, list items and code in the format */
const published =
  (
    root: string,
    names: { readonly row: string; readonly cell: RegExp; readonly item: string; readonly code: RegExp },
  ): Check =>
  (result) => {
    const document = readXml(readFileSync(result.path, "utf8"), { depthMax: 300 }).root;
    expect(document.name).toBe(root);
    const elements = elementsOf(document);
    expectWords(textOf(document), result);
    if (ORDERED.includes(result.from)) {
      expect(elements.find(({ name }) => /title$/.test(name) && name !== "title-group")).toSatisfy(
        (title: XmlElement) => words(title) === DOCUMENT_TITLE,
      );
      const rows = elements.filter(({ name }) => name === names.row);
      expect(
        rows.map((row) =>
          elementsOf(row)
            .filter(({ name }) => names.cell.test(name))
            .map(words),
        ),
      ).toEqual(DOCUMENT_ROWS);
      expect(elements.filter(({ name }) => name === names.item).map((item) => words(item).split(" ")[0])).toEqual([
        "Ropes",
        "Sails",
        "Jib",
        "Lanterns",
        "Cast",
        "Steer",
      ]);
      expect(elements.filter(({ name }) => names.code.test(name)).map(words)).toContain(DOCUMENT_CODE);
    }
  };

/** An outline has no paragraphs: text under a heading becomes its note. */
const outline: Check = (result) => {
  const { root } = readXml(readFileSync(result.path, "utf8"), { depthMax: 300 });
  expect(root.name).toBe("opml");
  const notes = elementsOf(root).flatMap(({ name, attributes, children }) =>
    name === "outline"
      ? [attributes.get("text") ?? "", attributes.get("_note") ?? ""]
      : name === "title"
        ? [children.join("")]
        : [],
  );
  expect(notes.join("\n")).toMatch(/[\p{L}\p{N}]{2}/u);
  if (ORDERED.includes(result.from)) {
    expect(notes.join("\n")).toContain(DOCUMENT_TITLE);
  }
};

/** A notebook of version 4, whose cells a different Markdown reader reads. */
const notebook: Check = (result) => {
  const { cells, nbformat }: { cells: { cell_type: string; source: string[] }[]; nbformat: number } = JSON.parse(
    readFileSync(result.path, "utf8"),
  );
  expect(nbformat).toBe(4);
  const source = cells.map((cell) => cell.source.join("")).join("\n\n");
  const view = viewHtml(new MarkdownIt("default", { html: true }).render(source));
  expectWords(view.text, result);
  if (ORDERED.includes(result.from)) {
    expect(view.headings[0]).toEqual(["h1", DOCUMENT_TITLE]);
    expect(view.tables[0]).toEqual(DOCUMENT_ROWS);
    expect(view.strong).toContain("bold");
  }
};

/** Rendered by groff, the standard renderer of manual pages on Linux. */
const manual: Check = (result) => {
  expect(readFileSync(result.path, "utf8")).toMatch(/^\.TH /m);
  if (!withTool("groff")) {
    return;
  }
  const shown = execFileSync("groff", ["-t", "-k", "-man", "-Tutf8", "-P-cbou", result.path], { encoding: "utf8" });
  const flat = shown.replace(/\s+/g, " ");
  // Right-to-left text has different spaces, and long words are hyphenated at line ends.
  const seen = DOCUMENT_WORDS.filter((word) => word !== DOCUMENT_HEBREW && !flat.includes(word));
  expect(seen).toEqual([]);
};

export const markupChecks: Checks = {
  tex: written(shapes.tex),
  rst: written(shapes.rst),
  asciidoc: written(shapes.asciidoc),
  org: written(shapes.org),
  mediawiki: written(shapes.mediawiki),
  dokuwiki: written(shapes.dokuwiki),
  textile: written(shapes.textile),
  jats: published("article", { row: "tr", cell: /^t[hd]$/, item: "list-item", code: /^(?:preformat|code)$/ }),
  docbook: published("article", { row: "row", cell: /^entry$/, item: "listitem", code: /^(?:programlisting|screen)$/ }),
  opml: outline,
  ipynb: notebook,
  man: manual,
};
