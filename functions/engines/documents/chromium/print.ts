import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  BROWSER_CELLS_MAX,
  DOCUMENT_PAGES_MAX,
  OUTPUT_BYTES_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { plainRanges } from "../../../domain/conversions/page-ranges.ts";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import type { Browser } from "./browser.ts";
import { joinGroups, type PrintedGroup } from "./join.ts";
import { contentSize, type Page, withPage } from "./page.ts";
import { Refused } from "./protocol.ts";
import type { PrintedPart, ReadyDocument } from "./ready.ts";
import { defaultSheet, isWide, lineWidth, requestedSheet } from "./sheet.ts";
import { sheetsFor } from "./styling.ts";
import { withBrowser } from "./with-browser.ts";

/** Window height in pixels: A4 without the margins. */
const WINDOW_HEIGHT = 972;

/**
 * Prints the document to the task's output; a large book in groups of chapters.
 *
 * @throws JobError `too_many_pages`; `unsupported_feature` when the document has none of the requested pages
 */
export const print = async (task: EngineTask, document: ReadyDocument): Promise<void> => {
  if (document.cells > BROWSER_CELLS_MAX) {
    throw new JobError(
      "unsupported_feature",
      `The tables have ${document.cells} cells; the limit is ${BROWSER_CELLS_MAX}.`,
    );
  }
  const [first, ...others] = document.groups();
  if (first === undefined || others.length === 0) {
    await withBrowser((browser) => printPart(browser, task, document));
    return;
  }
  // Page numbers and ranges are of the book, not of a group.
  const { pages: _, page_numbers, ...options } = task.options;
  const printed: PrintedGroup[] = [];
  let pages = 0;
  for (const [index, part] of [first, ...others].entries()) {
    const path = join(task.folder, `group-${index + 1}.pdf`);
    const count = await withBrowser(async (browser) => {
      await rm(path, { force: true });
      return printPart(browser, { ...task, options, output: path }, part);
    });
    pages += count;
    if (pages > DOCUMENT_PAGES_MAX) {
      throw tooManyPages();
    }
    printed.push({ path, pages: count });
    task.progress((index + 1) / (others.length + 2));
  }
  await joinGroups(printed, task.output, task.options);
};

/** Prints what the browser lays out at once. @returns the number of pages */
const printPart = (browser: Browser, task: EngineTask, document: PrintedPart): Promise<number> => {
  const { options, output } = task;
  const wide = isWide(document);
  const before = `${sheetsFor(document)}${defaultSheet(wide)}`;
  const html = document.html(before, requestedSheet(options, wide));
  // Content wider than the page is visible when the window is equally wide.
  const window = { width: lineWidth(options, wide), height: WINDOW_HEIGHT, scale: 1 };
  const tagged = document.elements <= TAGGED_ELEMENTS_MAX;
  const media = options.css_media ?? "print";
  return withPage(browser, { document, html, media, window }, async (page) => {
    // The browser lays out every page, even if fewer may be printed.
    const content = await contentSize(page);
    if (content.height > HEIGHT_MAX) {
      throw tooManyPages();
    }
    const params = {
      printBackground: options.print_background ?? true,
      scale: options.scale ?? (document.pages ? 1 : scaleFor(window.width, content.width)),
      preferCSSPageSize: true,
      // One more than the limit, to detect documents that exceed it.
      pageRanges: printedRanges(options),
      // The outline is generated from the tags.
      generateDocumentOutline: tagged,
      generateTaggedPDF: tagged,
    };
    const pages = await printPages(page, params, output);
    if (pages > DOCUMENT_PAGES_MAX) {
      throw tooManyPages();
    }
    return pages;
  });
};

/** The minimum scale at which a page is printed so that wide content is not clipped: 1,800 pixels fit on A4. */
const SCALE_MIN = 0.35;

const scaleFor = (window: number, content: number): number =>
  content <= window ? 1 : Math.max(SCALE_MIN, Math.floor((100 * window) / content) / 100);

/** @returns the pages to print; a page that does not exist if there are none, as no range would be all pages */
export const printedRanges = ({ pages }: Options): string =>
  plainRanges(pages, DOCUMENT_PAGES_MAX + 1) || String(DOCUMENT_PAGES_MAX + 1);

export const tooManyPages = (): JobError =>
  new JobError("too_many_pages", `The document has more than ${DOCUMENT_PAGES_MAX} pages, which is the limit.`);

/**
 * Maximum number of elements for which the PDF is tagged for screen readers: 50,000 cells take 16 MB and twice the time
 * with tags, and 0.7 MB without.
 */
const TAGGED_ELEMENTS_MAX = 30_000;

/** CSS pixels that exceed the page limit at all common sizes: the maximum number of A3 pages is 3.2 million high. */
export const HEIGHT_MAX = 4_000_000;

/**
 * Prints the page to a file.
 *
 * @param params the parameters of `Page.printToPDF` in the DevTools protocol
 * @returns the number of pages written
 */
export const printPages = async (page: Page, params: object, output: string): Promise<number> =>
  save(page, await printed(page, { ...params, transferMode: "ReturnAsStream" }), output);

const printed = async (page: Page, params: object): Promise<unknown> => {
  try {
    return (await page.call("Page.printToPDF", params)).stream;
  } catch (error) {
    if (error instanceof Refused && /page range/i.test(error.message)) {
      throw new JobError("unsupported_feature", "The document has none of the requested pages.", { cause: error });
    }
    throw error;
  }
};

const CHUNK_BYTES = 4_000_000;

/** Writes the stream to a file. @returns the number of pages */
const save = async ({ call }: Page, handle: unknown, path: string): Promise<number> => {
  const file = await open(path, "wx");
  try {
    const pages = pageCounter();
    for (let written = 0; ; ) {
      const { data, base64Encoded, eof } = await call("IO.read", { handle, size: CHUNK_BYTES });
      const bytes = Buffer.from(String(data), base64Encoded === true ? "base64" : "utf8");
      await file.write(bytes);
      written += bytes.length;
      if (written > OUTPUT_BYTES_MAX) {
        throw new JobError("output_too_large", `The PDF is larger than ${OUTPUT_BYTES_MAX} bytes, which is the limit.`);
      }
      pages.scan(bytes);
      if (eof === true) {
        return pages.count();
      }
    }
  } finally {
    await file.close();
  }
};

/** The page dictionary as Skia writes it, which is never in a compressed stream. */
const PAGE = /\/Type \/Page\b/g;
const PAGE_BYTES = 11;

/** @returns a counter for the pages of a PDF that arrives in chunks */
const pageCounter = () => {
  let [count, rest] = [0, ""];
  return {
    scan: (bytes: Buffer): void => {
      const text = rest + bytes.toString("latin1");
      count += text.match(PAGE)?.length ?? 0;
      rest = text.slice(-PAGE_BYTES).replace(PAGE, "");
    },
    count: (): number => count,
  };
};
