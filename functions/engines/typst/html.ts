import type { Warning } from "../../domain/jobs.ts";
import type { Options } from "../../domain/options.ts";
import { cleanTree } from "../io/html-clean.ts";
import { attributeOf, elementsBelow, parseHtml } from "../io/html-tree.ts";
import { blocksOf } from "./blocks.ts";
import { joined, quoted } from "./code.ts";
import { type Compiled, compile } from "./compiler.ts";
import { FIXED_FONTS, pageLayout, TEXT_FONTS } from "./page.ts";
import { pictureReader } from "./pictures.ts";
import type { Setting } from "./setting.ts";
import { columnsOf } from "./tables.ts";
import { newTally } from "./tally.ts";

/** Columns of a table from which on the page lies on its side, where nothing else is asked for. */
const WIDE_COLUMNS = 9;

/**
 * Sets the content of an HTML document: headings, paragraphs, lists, tables, pictures, code, links. Its looks are ours:
 * of its styles only bold, italic, alignment and page breaks stay.
 *
 * @throws JobError as the parser does
 */
export const htmlToPdf = async (html: string, options: Options): Promise<Compiled> => {
  const { body, title, lang, dir, metadata, warnings } = cleanTree(parseHtml(html), { directions: true });
  const wide = elementsBelow(body, "table").some((table) => columnsOf(table) >= WIDE_COLUMNS);
  const page = pageLayout(options, wide);
  const pictures = pictureReader();
  const tally = newTally();
  const setting: Setting = { page, pictures, tally, depth: 0, columns: 1 };
  const content = await blocksOf(body, setting);
  const language = /^([a-z]{2,3})(?:-|$)/i.exec(lang ?? "")?.[1]?.toLowerCase() ?? "en";
  const code = [
    page.code,
    `#set document(title: ${quoted(title)}, author: ${quoted(metadata.author ?? "")})`,
    `#set text(font: ${TEXT_FONTS}, size: 10pt, lang: ${quoted(language)}${isRtl(dir ?? attributeOf(body, "dir")) ? ", dir: rtl" : ""})`,
    LOOKS,
    `#${joined(content)}`,
  ].join("\n");
  const compiled = compile(code, pictures.files);
  return { ...compiled, warnings: [...warnings, ...pictureWarnings(tally.lostPictures), ...compiled.warnings] };
};

const isRtl = (dir: string | undefined): boolean => dir?.toLowerCase() === "rtl";

const pictureWarnings = (count: number): Warning[] =>
  count === 0
    ? []
    : [{ code: "pictures_dropped", detail: `Pictures that cannot be read, or are too much, were left out: ${count}.` }];

/** How our documents look, and the words that the code of `blocks.ts` uses. */
const LOOKS = `
#set par(leading: 0.7em, spacing: 1.1em)
#set table(stroke: 0.5pt + luma(170), inset: 5pt)
#show heading: set block(above: 1.4em, below: 0.8em)
#show raw: set text(font: ${FIXED_FONTS}, size: 1.1em)
#show raw.where(block: true): it => block(fill: luma(245), inset: 8pt, radius: 2pt, width: 100%, it)
#show link: set text(fill: rgb("#0645ad"))
#let right-to-left(body) = { set text(dir: rtl); body }
#let left-to-right(body) = { set text(dir: ltr); body }
#let quotation(body) = block(inset: (left: 1em), stroke: (left: 2pt + luma(200)), width: 100%, body)
#let indented(body) = pad(left: 2em, body)
#let rule() = line(length: 100%, stroke: 0.5pt + luma(150))
#let check(done) = box(width: 0.8em, height: 0.8em, stroke: 0.5pt, if done { place(center + horizon, text(size: 0.7em, "×")) }) + " "
`;
