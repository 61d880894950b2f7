import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { DOCUMENT_TITLE, OFFICE_WORDS, wordsIn } from "../support/document.ts";
import { SLIDE_TEXTS } from "../support/documents/office.ts";
import { viewSlides } from "../support/documents/slides.ts";
import { withTool } from "../support/tools.ts";
import type { Check, Checks, Result } from "./contract.ts";

/** Content checks of office documents and presentations, each with a reader independent of its writer. */

/** Fails unless the words of the document appear in the text in order. */
const expectWords = (text: string, { from }: Result): void => {
  const flat = text.replace(/\s+/g, " ");
  expect(flat).toMatch(/\p{L}{2}/u);
  let at = 0;
  for (const word of wordsIn(from)) {
    const found = flat.indexOf(word, at);
    expect(found, `"${word}" follows the previous word`).toBeGreaterThanOrEqual(at);
    at = found;
  }
};

const withoutTags = (xml: string): string =>
  xml
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");

const openText: Check = async (result) => {
  await readZip(result.path, async (zip) => {
    expectWords(withoutTags((await zip.read("content.xml"))?.toString("utf8") ?? ""), result);
  });
  if (OFFICE_WORDS.includes(result.from) && withTool("pandoc")) {
    const text = execFileSync("pandoc", ["--from=odt", "--to=markdown", result.path], { encoding: "utf8" });
    expect(text).toContain(DOCUMENT_TITLE);
    expect(text).toContain("**bold**");
    expect(text).toContain("(https://example.org/harbour)");
  }
};

/** Expected output for non-ASCII characters, pictures and control words ([MSFT-RTF]); pandoc 2 loses its links. */
const richText: Check = (result) => {
  const text = readFileSync(result.path, "latin1")
    .replace(/\\u(-?\d+) ?(?:(?:\\'[0-9a-f]{2})+|\?)/g, (_, code: string) => String.fromCharCode(Number(code) & 0xffff))
    .replace(/\\'([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/[0-9a-f]{40,}/g, "")
    .replace(/\\([{}\\])/g, (_, mark: string) => (mark === "{" ? "\u0001" : mark === "}" ? "\u0002" : mark))
    .replace(/\\[a-z]+-?\d* ?|[{}]|\r?\n/g, "")
    .replaceAll("\u0001", "{")
    .replaceAll("\u0002", "}");
  expectWords(text, result);
};

/** The old formats store text as UTF-16, or with one byte per character if that is enough. */
const holdsAll =
  (textsOf: (from: FormatId) => readonly string[]): Check =>
  ({ path, from }) => {
    const bytes = readFileSync(path);
    const holds = (text: string): boolean =>
      (["utf16le", "latin1"] as const).some((encoding) => bytes.includes(Buffer.from(text, encoding)));
    expect(textsOf(from).filter((text) => !holds(text))).toEqual([]);
  };

/** Sources whose samples are the slides of `support/office.ts`. */
const SLIDES: readonly FormatId[] = ["pptx", "ppt", "odp", "sxi", "key"];
const slidesOf = (from: FormatId): readonly (readonly string[])[] => (SLIDES.includes(from) ? SLIDE_TEXTS : []);

const openSlides: Check = ({ path, from }) =>
  readZip(path, async (zip) => {
    const xml = (await zip.read("content.xml"))?.toString("utf8") ?? "";
    const pages = xml.split("<draw:page ").slice(1).map(withoutTags);
    expect(pages.length).toBeGreaterThan(0);
    for (const [index, texts] of slidesOf(from).entries()) {
      expect(texts.filter((text) => !pages[index]?.includes(text))).toEqual([]);
    }
  });

/** Fails unless each slide of a PPTX has the content of the source slide. */
export const newSlides: Check = async ({ path, from }) => {
  const { slides, faults } = await viewSlides(path);
  // LibreOffice reuses shape numbers in masters and layouts, which programs accept.
  expect(faults.filter((fault) => !/slide(?:Master|Layout)/.test(fault))).toEqual([]);
  for (const [index, texts] of slidesOf(from).entries()) {
    expect(slides[index]?.paragraphs).toEqual(expect.arrayContaining([...texts]));
  }
};

export const officeTextChecks: Checks = { odt: openText, rtf: richText, doc: holdsAll(wordsIn) };

export const officeSlideChecks: Checks = { odp: openSlides, ppt: holdsAll((from) => slidesOf(from).flat()) };
