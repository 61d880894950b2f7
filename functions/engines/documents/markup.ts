import { writeFile } from "node:fs/promises";
import type { FormatId } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineTask, packageVersion } from "../core/engine.ts";
import { readText } from "../data/text/text.ts";
import { cleanTree } from "./html/clean.ts";
import { cleanHtml, documentOf } from "./html/html.ts";
import { readHtml } from "./html/reader.ts";
import { newElement, parseHtml } from "./html/tree.ts";
import { htmlOfText, textOf } from "./markup/plain-text.ts";

/** Text documents: HTML, Markdown and plain text, read in any encoding and written in UTF-8. */
export const markupEngine: Engine = {
  name: "markup",
  version: async () => packageVersion("markdown-it"),
  convert: async (task) => {
    const { text, warnings } = await writerOf(task)(task);
    await writeFile(task.output, text, { flag: "wx" });
    return { warnings };
  },
};

interface Written {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

type Writer = (task: EngineTask) => Promise<Written>;

const markdownToHtml: Writer = async (task) => {
  const { htmlOfMarkdown } = await import("./markup/from-markdown.ts");
  const { text } = await readText(task.input, task.options.encoding);
  const { html, title, lang, metadata, warnings } = await htmlOfMarkdown(text, task);
  const styled = task.options.style !== "none";
  const clean = cleanHtml(html, { title, lang, metadata, styled, references: "relative", directions: true });
  return { text: clean.html, warnings: [...warnings, ...clean.warnings] };
};

const htmlToMarkdown: Writer = async (task) => {
  const { markdownOf } = await import("./markup/to-markdown.ts");
  // Markdown is read as text, so references to remote pictures are kept. A renderer decides whether to load them.
  const { body, warnings } = cleanTree(parseHtml(await readHtml(task.input, task.options.encoding)), {
    references: "all",
  });
  return { text: markdownOf(body), warnings };
};

const htmlToText: Writer = async (task) => {
  const { body, warnings } = cleanTree(parseHtml(await readHtml(task.input, task.options.encoding)));
  // Plain text never has pictures or styles, so warnings about them are omitted. Scripts may write text.
  return { text: await textOf(body), warnings: warnings.filter(({ code }) => code === "scripts_dropped") };
};

const textToHtml: Writer = async (task) => {
  const { text } = await readText(task.input, task.options.encoding);
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
    throw new TypeError(`markup cannot convert ${from} to ${to}.`);
  }
  return writer;
};
