import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";
import { expect } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { formatOf } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import {
  DOCUMENT_CODE,
  DOCUMENT_LINK,
  DOCUMENT_ROWS,
  DOCUMENT_TITLE,
  DOCUMENT_WORDS,
  MARKUP_SOURCES,
  OFFICE_SOURCES,
  OUTLINE_SOURCES,
} from "../support/document.ts";
import { viewHtml } from "../support/documents/html.ts";
import { DRAWING_TEXT } from "../support/documents/office.ts";
import { expectInOrder } from "../support/in-order.ts";
import { PYTHON, withPython, withTool } from "../support/tools.ts";
import { type Check, contract, type Result } from "./contract.ts";
import { markupChecks } from "./markup.ts";
import { officeTextChecks } from "./office.ts";
import { pdfCheck } from "./pdf.ts";

/**
 * Sources whose samples hold the document of `support/document.ts`, and those that also keep its complete structure.
 */
const SAME = [
  "html",
  "mhtml",
  "md",
  "txt",
  "docx",
  "epub",
  "mobi",
  "azw3",
  "fb2",
  ...MARKUP_SOURCES,
  ...OUTLINE_SOURCES,
  ...OFFICE_SOURCES,
];
// An RTF table does not mark header rows.
const ORDERED = SAME.filter((format) => !["txt", "rtf", ...OUTLINE_SOURCES].includes(format));
const LISTED = ORDERED.filter((format) => format !== "fb2" && !OFFICE_SOURCES.includes(format));

const holds = (formats: readonly string[], { from }: Result): boolean => formats.includes(from);

/** Pictures in the samples: most markup languages cannot embed them. */
const picturesOf = ({ from }: Result): number =>
  MARKUP_SOURCES.includes(from) && !["rst", "ipynb"].includes(from) ? 0 : 1;

/** Fails unless the words of the document appear in order, in any layout. */
const expectWords = (text: string, result: Result): void => {
  const flat = text.replace(/\s+/g, " ");
  if (!holds(SAME, result)) {
    // The tests of other families check their content; here it only has to exist.
    expect(flat).toMatch(/[\p{L}\p{N}]{2}/u);
    return;
  }
  expectInOrder(flat, DOCUMENT_WORDS);
};

/**
 * For a source with several documents, each becomes a separate file; the check only requires that these are documents.
 */
const orMany =
  (check: Check): Check =>
  async (result) => {
    if (!result.bundled) {
      await check(result);
      return;
    }
    await readZip(result.path, async (zip) => {
      expect(zip.paths.length).toBeGreaterThan(1);
      for (const path of zip.paths) {
        expect(detectFormat((await zip.read(path)) ?? Buffer.alloc(0), { filename: path })).toBe(result.to);
      }
    });
  };

const htmlCheck: Check = (result) => {
  const view = viewHtml(readFileSync(result.path, "utf8"));
  expectWords(view.text, result);
  expect(view.unsafe).toEqual([]);
  if (holds(ORDERED, result)) {
    expect(view.headings[0]).toEqual(["h1", DOCUMENT_TITLE]);
    expect(view.tables[0]).toEqual(DOCUMENT_ROWS);
    expect(view.links).toContain(DOCUMENT_LINK);
    expect(view.pictures).toEqual(Array(picturesOf(result)).fill(expect.stringMatching(/^data:image\/png;base64,/)));
    expect(view.rightToLeft).toEqual(["שלום עולם"]);
    expect(view.strong).toContain("bold");
  }
  if (holds(LISTED, result)) {
    expect(view.items).toEqual(["ul Ropes", "ul Sails", "ul ul Jib", "ul Lanterns", "ol Cast off", "ol Steer north"]);
    expect(view.code).toEqual([DOCUMENT_CODE]);
  }
};

/** A Markdown reader independent of the writer. */
const markdownCheck: Check = (result) => {
  const text = readFileSync(result.path, "utf8");
  const view = viewHtml(new MarkdownIt("default", { html: true }).render(text));
  expectWords(view.text, result);
  expect(text).not.toMatch(/<script|javascript:/i);
  if (holds(ORDERED, result)) {
    expect(view.headings[0]).toEqual(["h1", DOCUMENT_TITLE]);
    expect(view.tables[0]).toEqual(DOCUMENT_ROWS);
    expect(view.pictures).toHaveLength(picturesOf(result));
    expect(text).toContain("**bold**");
  }
  if (holds(LISTED, result)) {
    expect(view.items).toEqual(["ul Ropes", "ul Sails", "ul ul Jib", "ul Lanterns", "ol Cast off", "ol Steer north"]);
    expect(view.code.map((code) => code.trim())).toEqual([DOCUMENT_CODE]);
  }
};

const textCheck: Check = (result) => {
  const text = readFileSync(result.path, "utf8");
  const { family } = formatOf(result.from);
  if (["image", "vector"].includes(family)) {
    // The sample picture contains no text, and its drawings contain one line.
    expect(text.trim()).toBe(["odg", "vsdx", "eps"].includes(result.from) ? DRAWING_TEXT : "");
    return;
  }
  expectWords(text, result);
  if (holds(SAME, result)) {
    expect(text).not.toMatch(/<\w+>|data:image/);
  }
};

/** Debian's python-docx returns the style and text of each paragraph, and the rows of the first table. */
const WORD_VIEW = `
import docx, json, sys
d = docx.Document(sys.argv[1])
rows = [[cell.text for cell in row.cells] for row in d.tables[0].rows]
print(json.dumps({"paragraphs": [[p.style.name, p.text] for p in d.paragraphs], "rows": rows}))
`;

const wordView = (path: string): { paragraphs: [string, string][]; rows: string[][] } =>
  JSON.parse(execFileSync(PYTHON, ["-c", WORD_VIEW, path], { encoding: "utf8" }));

const wordCheck: Check = async (result) => {
  if (formatOf(result.from).family === "image") {
    // The sample picture contains no text, so the document shows it.
    expect(result.codes).toEqual(["no_text_found"]);
    await readZip(result.path, async (zip) => {
      expect(zip.paths.filter((path) => path.startsWith("word/media/"))).toHaveLength(1);
    });
    return;
  }
  await readZip(result.path, async (zip) => {
    const xml = (await zip.read("word/document.xml"))?.toString("utf8") ?? "";
    expectWords(xml.replace(/<[^>]+>/g, "").replaceAll("&lt;", "<"), result);
    if (holds(ORDERED, result)) {
      expect(xml).toMatch(/<w:pStyle w:val="(?:Heading1|Title)" ?\/>/);
      expect(xml.match(/<w:tr>|<w:tr /g)).toHaveLength(DOCUMENT_ROWS.length);
      expect(zip.paths.filter((path) => path.startsWith("word/media/"))).toHaveLength(picturesOf(result));
    }
  });
  if (result.engine === "pandoc" && holds(LISTED, result) && withPython("docx")) {
    const { paragraphs, rows } = wordView(result.path);
    expect(paragraphs[0]).toEqual([expect.stringMatching(/^(?:Title|Heading 1)$/), DOCUMENT_TITLE]);
    expect(paragraphs.find(([, text]) => text === DOCUMENT_CODE)?.[0]).toBe("Source Code");
    expect(rows).toEqual(DOCUMENT_ROWS);
  }
  if (result.engine !== "pandoc" && holds(LISTED, result) && withTool("pandoc")) {
    const text = execFileSync("pandoc", ["--from=docx", "--to=markdown", result.path], { encoding: "utf8" });
    expect(text).toMatch(/^# Harbour report[\s\S]*\*\*bold\*\*[\s\S]*\(https:\/\/example\.org\/harbour\)/m);
    expect(text).toMatch(/-\s+Sails\n\n\s+-\s+Jib\n\n-\s+Lanterns\n\n1\.\s+Cast off\n\n2\.\s+Steer north/);
    expect(text).toMatch(/\[שלום עולם\]\{dir="rtl"\}/);
    expect(text).toMatch(/^ {4}if \(a < b\) \{ sail\(\); \}$/m);
  }
};

contract("document", {
  html: orMany(htmlCheck),
  md: orMany(markdownCheck),
  txt: orMany(textCheck),
  docx: orMany(wordCheck),
  pdf: pdfCheck,
  ...markupChecks,
  ...officeTextChecks,
});
