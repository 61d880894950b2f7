import { serialize } from "parse5";
import { TEXT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import { type CleanTree, cleanTree, type TreeRules } from "./html-clean.ts";
import { escapeText, parseHtml } from "./html-tree.ts";

export interface CleanHtmlOptions extends TreeRules {
  /** The title where the document has none. */
  readonly title?: string | undefined;
  /** The language where the document has none, as BCP 47 has it. */
  readonly lang?: string | undefined;
  /** Author, description and the like where the document has none. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A whole document in UTF-8 that is safe to open, and what was left out of it. */
export interface CleanHtml {
  readonly html: string;
  readonly warnings: readonly Warning[];
}

/**
 * Makes a standalone document of HTML from strangers, whole or a fragment of one: nothing in it runs, loads or sends
 * anything. Every HTML that we write has gone through here.
 *
 * @throws JobError `unsupported_feature` when it is nested too deep or has too many nodes, `output_too_large`
 */
export const cleanHtml = (html: string, { title, lang, metadata, ...rules }: CleanHtmlOptions = {}): CleanHtml => {
  const tree = cleanTree(parseHtml(html), rules);
  const said = {
    title: tree.title || title || "",
    lang: tree.lang || lang,
    metadata: { ...metadata, ...tree.metadata },
  };
  return { html: documentOf({ ...tree, ...said }), warnings: tree.warnings };
};

/**
 * @param content the body's content as text, where it is at hand
 * @returns the document as text
 */
export const documentOf = (
  { title, lang, dir, metadata, style, body }: Omit<CleanTree, "warnings">,
  content = serialize(body).trim(),
): string => {
  const attributes = Object.entries({ lang, dir })
    .map(([name, value]) => (value === undefined || value === "" ? "" : ` ${name}="${escapeText(value)}"`))
    .join("");
  const lines = [
    "<!DOCTYPE html>",
    `<html${attributes}>`,
    "<head>",
    '<meta charset="utf-8">',
    `<title>${escapeText(title)}</title>`,
    ...Object.entries(metadata).map(([name, content]) => `<meta name="${name}" content="${escapeText(content)}">`),
    ...(style === "" ? [] : [`<style>\n${style}\n</style>`]),
    "</head>",
    "<body>",
    content,
    "</body>",
    "</html>",
    "",
  ];
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (bytes > TEXT_BYTES_MAX) {
    throw new JobError("output_too_large", `The HTML has ${bytes} bytes; at most ${TEXT_BYTES_MAX} are allowed.`);
  }
  return lines.join("\n");
};
