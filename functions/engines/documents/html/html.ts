import { serialize } from "parse5";
import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type CleanTree, cleanTree, type TreeRules } from "./clean.ts";
import { DEFAULT_RULES } from "./default-style.ts";
import { escapeText, parseHtml } from "./tree.ts";

export interface CleanHtmlOptions extends TreeRules {
  /** The title if the document has none. */
  readonly title?: string | undefined;
  /** The language if the document has none, as a BCP 47 tag. */
  readonly lang?: string | undefined;
  /** Author, description and other metadata if the document has none. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Whether to add our default style if the document has no style sheet. @default false */
  readonly styled?: boolean;
}

/** A complete UTF-8 document that is safe to open, and warnings about what was left out. */
export interface CleanHtml {
  readonly html: string;
  readonly warnings: readonly Warning[];
}

/**
 * Turns untrusted HTML, a document or a fragment, into a standalone document in which nothing runs, loads or sends
 * anything. All HTML that we write passes through here.
 *
 * @throws JobError `unsupported_feature` when it is nested too deep or has too many nodes, `output_too_large`
 */
export const cleanHtml = (
  html: string,
  { title, lang, metadata, styled, ...rules }: CleanHtmlOptions = {},
): CleanHtml => {
  const tree = cleanTree(parseHtml(html), rules);
  const head = {
    title: tree.title || title || "",
    lang: tree.lang || lang,
    metadata: { ...metadata, ...tree.metadata },
    ...(styled === true && tree.style === "" && { style: DEFAULT_RULES }),
  };
  return { html: documentOf({ ...tree, ...head }), warnings: tree.warnings };
};

/**
 * @param content the body's content as text, if available
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
    throw new JobError("output_too_large", `The HTML has ${bytes} bytes; the limit is ${TEXT_BYTES_MAX}.`);
  }
  return lines.join("\n");
};
