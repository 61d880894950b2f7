import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { wordsOf } from "../../pdf/result.ts";
import { run, runChromium, runOffice } from "../tools.ts";
import type { Reader } from "./reading.ts";
import { pythonTokens } from "./tokens.ts";
import { documentTraits } from "./traits.ts";

/** Reads documents: their words, and their pages as other programs print them. */

/** Prints a file. @returns the path of the PDF */
type Printer = (path: string, folder: string) => Promise<string>;

const byOffice: Printer = async (path, folder) => {
  const known = printed.get(path);
  if (known !== undefined) {
    return known;
  }
  await runOffice(["--convert-to", "pdf", "--outdir", folder, path]);
  return join(folder, `${basename(path, extname(path))}.pdf`);
};

const printed = new Map<string, string>();

/** Prints documents in one process of LibreOffice, which starts slowly. Those that fail are printed again alone. */
export const printByOffice = async (paths: readonly string[], folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (let start = 0; start < paths.length; start += BATCH) {
    const some = paths.slice(start, start + BATCH);
    // A document that hangs ends the batch; the others of it are printed alone.
    await runOffice(["--convert-to", "pdf", "--outdir", folder, ...some]).catch(() => undefined);
    for (const path of some) {
      const pdf = join(folder, `${basename(path, extname(path))}.pdf`);
      if (existsSync(pdf)) {
        printed.set(path, pdf);
      }
    }
  }
};

/** Documents that LibreOffice prints within the time limit of a program. */
const BATCH = 8;

const byChromium: Printer = async (path, folder) => {
  const pdf = join(folder, "chromium.pdf");
  const html = join(folder, "page.html");
  const page = await readFile(path);
  await writeFile(html, isUtf16(page) ? page : Buffer.concat([page, Buffer.from(PAGE)]));
  await runChromium([
    "--no-pdf-header-footer",
    "--virtual-time-budget=5000",
    `--print-to-pdf=${pdf}`,
    `file://${html}`,
  ]);
  return pdf;
};

/** The page of this service's PDFs, so that lines break at the same places. A document's page rules come first. */
const PAGE = "<style>@layer { @page { size: A4; margin: 20mm } }</style>";

const isUtf16 = (bytes: Buffer): boolean => bytes[0] === 0xff || bytes[0] === 0xfe || bytes[1] === 0;

/** @param reader the source format as pandoc names it */
const byPandoc =
  (reader: string): Printer =>
  async (path, folder) => {
    const html = join(folder, "pandoc.html");
    await run("pandoc", ["-f", reader, "-t", "html5", "-s", "--mathml", "--metadata", "title= ", path, "-o", html]);
    return byChromium(html, folder);
  };

export const OFFICE: readonly FormatId[] = [
  ...(["docx", "doc", "odt", "fodt", "rtf", "wpd", "pptx", "ppt", "odp"] as const),
  ...(["xlsx", "xls", "xlsb", "ods", "fods", "odg", "vsdx"] as const),
];

const PRINTERS: Readonly<Partial<Record<FormatId, Printer>>> = {
  ...Object.fromEntries(OFFICE.map((format) => [format, byOffice])),
  pdf: (path) => Promise.resolve(path),
  html: byChromium,
  md: byPandoc("markdown-implicit_figures"),
  rst: byPandoc("rst"),
  tex: byPandoc("latex"),
};

/** Reads the text of formats that are not printed. */
const TEXTS: Readonly<Partial<Record<FormatId, (path: string, folder: string) => Promise<string>>>> = {
  txt: textOf,
  epub: async (path) => withoutTags(await run("pandoc", ["-f", "epub", "-t", "html5", "--wrap=none", path])),
  mobi: calibreText,
  azw3: calibreText,
  eml: async (path) => (await pythonTokens("mail", "eml", [path])).join(" "),
};

/** The text that a reader sees: without the alternative text of pictures. */
const withoutTags = (html: string): string =>
  html
    .replaceAll(/<figcaption.*?<\/figcaption>/gsu, " ")
    .replaceAll(/<[^>]*>/gu, " ")
    .replaceAll(/&(?:lt|gt|quot|amp|#39);/gu, " ");

async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

async function calibreText(path: string, folder: string): Promise<string> {
  // Calibre reads the format from the extension.
  const text = join(folder, "calibre.txt");
  await run("ebook-convert", [path, text]);
  return readFile(text, "utf8");
}

/** They choose between the text and the emoji style of a character. */
const VARIATIONS = /[\ufe0e\ufe0f]/gu;
const EMOJI = /\p{Extended_Pictographic}/gu;

/** Years, prices and dashes are words too; `©` and the like are not emoji. */
const tokensOf = (text: string): string[] => [
  ...wordsOf(text.replaceAll(VARIATIONS, "").split("\n")),
  ...[...text.matchAll(EMOJI)].map(([found]) => found).filter((found) => (found.codePointAt(0) ?? 0) > 0xffff),
];

export const readDocument: Reader = async ({ paths: [path = "", ...rest], format, folder }) => {
  const read = TEXTS[format];
  if (read !== undefined) {
    const texts = await Promise.all([path, ...rest].map((each) => read(each, folder)));
    const plain = format === "txt" ? { traits: { pictures: false } } : {};
    return { tokens: texts.flatMap(tokensOf), ...plain };
  }
  const print = PRINTERS[format];
  if (print === undefined) {
    throw new Error(`No program reads ${format} here.`);
  }
  const pdf = await print(path, folder);
  return { tokens: tokensOf(await run("pdftotext", [pdf, "-"])), pdf, traits: await documentTraits(pdf) };
};
