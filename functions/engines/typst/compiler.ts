import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { DOCUMENT_PAGES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { Code } from "./code.ts";

/** A file that the code refers to, by its name: it lies in memory only. */
export interface Attached {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Compiled {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly warnings: readonly Warning[];
}

/** Code that Typst refuses, with its own words. */
export class TypstError extends Error {}

/** The root of all that code may read. It does not exist, so there is nothing but what is attached. */
const ROOT = "/nonexistent/anyform";

/**
 * Compiles code to PDF.
 *
 * @throws TypstError when the code or a file in it is refused; JobError `too_many_pages`
 */
export const compile = (code: Code, files: readonly Attached[] = []): Compiled => {
  const typst = compiler();
  try {
    for (const { name, bytes } of files) {
      typst.mapShadow(join(ROOT, name), Buffer.from(bytes));
    }
    const result = typst.compile({ mainFileContent: code });
    const { result: document } = result;
    if (document === null) {
      throw refusal(messageOf(result.takeError()?.shortDiagnostics));
    }
    const pages = document.numOfPages;
    if (pages > DOCUMENT_PAGES_MAX) {
      throw new JobError(
        "too_many_pages",
        `The PDF would have ${pages} pages; at most ${DOCUMENT_PAGES_MAX} are made.`,
      );
    }
    return { pages, ...archived(typst, document) };
  } finally {
    typst.resetShadow();
    // What Typst remembers of a document is of no use to the next one, and grows without end.
    typst.evictCache(0);
  }
};

/** Where Typst ends: content that lies in one another too deep. */
const refusal = (message: string): Error =>
  /depth (?:exceeded|is too high)|nest/i.test(message)
    ? new JobError("unsupported_feature", "The document is nested too deep to be set on pages.")
    : new TypstError(message);

/** For scripts from Latin to Arabic, and for Chinese and Japanese. */
const FONTS = [
  ["dejavu-fonts-ttf", "ttf"],
  ["@expo-google-fonts/noto-sans-sc", "400Regular"],
] as const;

let made: NodeCompiler | undefined;

/** Reading the fonts takes 50 ms, so a process does it once. Fonts of the system are found without being named. */
const compiler = (): NodeCompiler => {
  const { resolve } = createRequire(import.meta.url);
  const fontPaths = FONTS.map(([name, folder]) => join(dirname(resolve(`${name}/package.json`)), folder));
  made ??= NodeCompiler.create({ workspace: ROOT, fontArgs: [{ fontPaths }] });
  return made;
};

/** PDF for archives: with all that it needs inside, and every character of it told. */
const ARCHIVE_STANDARD = "a-2b";

/**
 * Writes PDF/A where the document allows it. That standard forbids characters without a shape, so its refusal is how we
 * learn of them.
 */
const archived = (typst: NodeCompiler, document: Parameters<NodeCompiler["pdf"]>[0]): Omit<Compiled, "pages"> => {
  try {
    return { bytes: typst.pdf(document, { pdfStandard: ARCHIVE_STANDARD }), warnings: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const missing = new Set([...message.matchAll(WITHOUT_SHAPE)].map(([, text = ""]) => shown(text)));
    const warnings = missing.size === 0 ? [] : [glyphsMissing([...missing])];
    return { bytes: written(typst, document), warnings };
  }
};

const written = (typst: NodeCompiler, document: Parameters<NodeCompiler["pdf"]>[0]): Buffer => {
  try {
    return typst.pdf(document);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
};

/** Up to Typst 0.13 only the first one is told. */
const WITHOUT_SHAPE = /the text `?\\?"(.*?)\\?"`? could not be displayed/g;

/** @returns the text of Rust's debug notation, its escapes as characters */
const shown = (text: string): string =>
  text.replace(/\\+u\{([0-9a-f]{1,6})\}/g, (_, code: string) => `U+${code.toUpperCase().padStart(4, "0")}`);

const SHOWN_MAX = 20;

const glyphsMissing = (texts: readonly string[]): Warning => ({
  code: "glyphs_missing",
  detail: `No font here has some of the characters, which show as boxes, among them: ${texts.slice(0, SHOWN_MAX).join(" ")}${texts.length > SHOWN_MAX ? " …" : ""}`,
});

const messageOf = (diagnostics: unknown): string => {
  const [first] = Array.isArray(diagnostics) ? diagnostics : [];
  return typeof first?.message === "string" ? first.message : "unknown error";
};
