import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { readText } from "../../data/text/text.ts";
import { cleanHtml } from "../html/html.ts";
import { readHtml } from "../html/reader.ts";
import { docBookOf } from "./asciidoc.ts";
import { type Container, checkContainer, checkDepth, containers } from "./container.ts";
import { readNotebook } from "./notebook.ts";
import { INCLUDES_DROPPED } from "./tree.ts";
import type { Dialect } from "./writers.ts";

/** The input for pandoc. */
export interface Source {
  readonly format: FormatId;
  /** A file in the step's folder; text is in UTF-8. */
  readonly path: string;
  /** The arguments that select the reader. */
  readonly reader: readonly string[];
  /** The document's embedded pictures, by name; each is read on demand. */
  readonly container?: Container;
  readonly pictures?: ReadonlyMap<string, Buffer>;
  readonly warnings: readonly Warning[];
}

const READERS: Partial<Record<FormatId, string>> = {
  html: "html",
  docx: "docx+styles",
  odt: "odt",
  tex: "latex",
  rst: "rst",
  org: "org",
  mediawiki: "mediawiki",
  dokuwiki: "dokuwiki",
  textile: "textile",
  ipynb: "ipynb",
  jats: "jats",
  docbook: "docbook",
  opml: "opml",
  man: "man",
  // Converted to DocBook first.
  asciidoc: "docbook",
};

const MARKDOWNS: Readonly<Record<Dialect, string>> = {
  gfm: "gfm+tex_math_dollars",
  commonmark: "commonmark",
  pandoc: "markdown",
  multimarkdown: "markdown_mmd",
  php_extra: "markdown_phpextra",
};

/** @throws JobError as the readers of texts and zips do */
export const sourceOf = async (task: EngineTask): Promise<Source> => {
  const { from, input, folder, options } = task;
  const reader = from === "md" ? MARKDOWNS[options.markdown ?? "gfm"] : READERS[from];
  if (reader === undefined) {
    throw new TypeError(`pandoc cannot read ${from}.`);
  }
  const path = join(folder, "source");
  const base = { format: from, path, reader: [`--from=${reader}`] };
  const container = containers[from];
  if (container !== undefined) {
    await copyFile(input, path);
    return { ...base, container: { path, ...container }, warnings: await checkContainer(path, container, from) };
  }
  if (from === "html") {
    const { html, warnings } = cleanHtml(await readHtml(input, options.encoding), { references: "all" });
    await writeFile(path, html);
    return { ...base, warnings };
  }
  const { text } = await readText(input, options.encoding);
  if (from === "asciidoc") {
    const docBook = await docBookOf(text);
    checkDepth(docBook.text);
    await writeFile(path, docBook.text);
    return { ...base, warnings: docBook.warnings };
  }
  if (from === "ipynb") {
    const { notebook, pictures } = readNotebook(text);
    await writeFile(path, notebook);
    return { ...base, reader: [...base.reader, "--ipynb-output=all"], pictures, warnings: [] };
  }
  if (XML.has(from)) {
    checkDepth(text);
  }
  const plain = from === "rst" ? withoutFiles(text) : text;
  await writeFile(path, plain);
  return { ...base, warnings: plain === text ? [] : [INCLUDES_DROPPED] };
};

const XML: ReadonlySet<FormatId> = new Set(["jats", "docbook", "opml"]);

/** A table or raw text in another file: pandoc rejects the entire document when the file is missing. */
const FILE_FIELD =
  /^([ \t]*\.\. (?:csv-table|raw|include|figure)::[^\n]*\n(?:[ \t]+:[\w-]+:[^\n]*\n)*?)[ \t]+:(?:file|url):[^\n]*\n?/gm;

const withoutFiles = (text: string): string => text.replace(/\r\n?/g, "\n").replace(FILE_FIELD, "$1");
