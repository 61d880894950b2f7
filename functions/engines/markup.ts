import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FormatId } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { cleanHtml, documentOf } from "./io/html.ts";
import { cleanTree } from "./io/html-clean.ts";
import { readHtml } from "./io/html-reader.ts";
import { newElement, parseHtml } from "./io/html-tree.ts";
import { readText } from "./io/text.ts";
import { htmlOfText, textOf } from "./markup/plain-text.ts";

/** Documents that are text: HTML, Markdown and plain text, each read in whatever encoding and written in UTF-8. */
export const markupEngine: Engine = {
  name: "markup",
  version: async () => createRequire(import.meta.url)("markdown-it/package.json").version,
  convert: async (task) => {
    const { text, warnings } = await writerOf(task)(task.input, task.options.encoding);
    await writeFile(task.output, text, { flag: "wx" });
    return { warnings };
  },
};

interface Written {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

type Writer = (path: string, encoding?: string) => Promise<Written>;

const markdownToHtml: Writer = async (path, encoding) => {
  const { htmlOfMarkdown } = await import("./markup/from-markdown.ts");
  const { text } = await readText(path, encoding);
  const { html, title, lang, metadata } = htmlOfMarkdown(text);
  const clean = cleanHtml(html, { title, lang, metadata, references: "relative", directions: true });
  return { text: clean.html, warnings: clean.warnings };
};

const htmlToMarkdown: Writer = async (path, encoding) => {
  const { markdownOf } = await import("./markup/to-markdown.ts");
  // Markdown is read as text; whoever makes a page of it decides about what lies elsewhere.
  const { body, warnings } = cleanTree(parseHtml(await readHtml(path, encoding)), { references: "all" });
  return { text: markdownOf(body), warnings };
};

const htmlToText: Writer = async (path, encoding) => {
  const { body } = cleanTree(parseHtml(await readHtml(path, encoding)));
  // That there are no pictures in a text needs no word.
  return { text: await textOf(body), warnings: [] };
};

const textToHtml: Writer = async (path, encoding) => {
  const { text } = await readText(path, encoding);
  const nothing = { title: "", lang: undefined, dir: undefined, metadata: {}, style: "", body: newElement("body") };
  return { text: documentOf(nothing, htmlOfText(text)), warnings: [] };
};

const writers: Partial<Record<FormatId, Partial<Record<FormatId, Writer>>>> = {
  md: { html: markdownToHtml },
  txt: { html: textToHtml },
  html: { md: htmlToMarkdown, txt: htmlToText },
};

const writerOf = ({ from, to }: EngineTask): Writer => {
  const writer = writers[from]?.[to];
  if (writer === undefined) {
    throw new TypeError(`markup does not turn ${from} into ${to}.`);
  }
  return writer;
};
