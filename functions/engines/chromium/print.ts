import { open } from "node:fs/promises";
import { BROWSER_CELLS_MAX, DOCUMENT_PAGES_MAX, OUTPUT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { EngineTask } from "../engine.ts";
import type { Browser } from "./browser.ts";
import { sheetsFor } from "./looks.ts";
import { contentSize, type Page, withPage } from "./page.ts";
import { Refused } from "./protocol.ts";
import type { ReadyDocument } from "./ready.ts";
import { askedSheet, isWide, lineWidth, ownSheet } from "./sheet.ts";

/** Pixels of the window's height: that of A4, less the margins. */
const WINDOW_HEIGHT = 972;

/**
 * Prints the document into the task's output.
 *
 * @throws JobError `too_many_pages`; `unsupported_feature` when none of the pages that are asked for is there
 */
export const print = (browser: Browser, task: EngineTask, document: ReadyDocument): Promise<undefined> => {
  const { options, output } = task;
  if (document.cells > BROWSER_CELLS_MAX) {
    throw new JobError(
      "unsupported_feature",
      `The tables have ${document.cells} cells; at most ${BROWSER_CELLS_MAX} are printed.`,
    );
  }
  const wide = isWide(document);
  const before = `${sheetsFor(document)}${ownSheet(wide)}`;
  const html = document.html(before, askedSheet(options, wide));
  // What is wider than the page shows when the window is as wide.
  const window = { width: lineWidth(options, wide), height: WINDOW_HEIGHT, scale: 1 };
  const tagged = document.elements <= TAGGED_ELEMENTS_MAX;
  const media = options.css_media ?? "print";
  return withPage(browser, { document, html, media, window }, async (page) => {
    // Pages are laid out to the last, however many may be printed.
    const content = await contentSize(page);
    if (content.height > HEIGHT_MAX) {
      throw tooManyPages();
    }
    const stream = await printed(page, {
      printBackground: options.print_background ?? true,
      scale: options.scale ?? (document.pages ? 1 : scaleFor(window.width, content.width)),
      preferCSSPageSize: true,
      // One more than may be, to tell that there are more.
      pageRanges: options.pages?.replace(/\s/g, "") ?? `1-${DOCUMENT_PAGES_MAX + 1}`,
      // The outline is made of the tags.
      generateDocumentOutline: tagged,
      generateTaggedPDF: tagged,
      transferMode: "ReturnAsStream",
    });
    const pages = await save(page, stream, output);
    if (pages > DOCUMENT_PAGES_MAX) {
      throw tooManyPages();
    }
    return undefined;
  });
};

/** How small a page is printed at the least, so that what is wider than it is not cut off: 1,800 pixels fit on A4. */
const SCALE_MIN = 0.35;

const scaleFor = (window: number, content: number): number =>
  content <= window ? 1 : Math.max(SCALE_MIN, Math.floor((100 * window) / content) / 100);

const tooManyPages = (): JobError =>
  new JobError("too_many_pages", `The document has over ${DOCUMENT_PAGES_MAX} pages.`);

/**
 * Elements up to which a PDF is tagged for those who have it read to them: 50,000 cells take 16 MB and twice the time with
 * their tags, and 0.7 MB without.
 */
const TAGGED_ELEMENTS_MAX = 30_000;

/** CSS pixels that fit on no pages of usual sizes: as many of A3 as may be are 3.2 million high. */
const HEIGHT_MAX = 4_000_000;

const printed = async (page: Page, params: object): Promise<unknown> => {
  try {
    return (await page.call("Page.printToPDF", params)).stream;
  } catch (error) {
    if (error instanceof Refused && /page range/i.test(error.message)) {
      throw new JobError("unsupported_feature", "None of the pages that are asked for is there.", { cause: error });
    }
    throw error;
  }
};

const CHUNK_BYTES = 4_000_000;

/** Writes the stream into a file. @returns the pages that it has */
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
        throw new JobError("output_too_large", `The PDF has over ${OUTPUT_BYTES_MAX} bytes.`);
      }
      pages.look(bytes);
      if (eof === true) {
        return pages.count();
      }
    }
  } finally {
    await file.close();
  }
};

/** How Skia writes the dictionary of a page, which is never within a compressed stream. */
const PAGE = /\/Type \/Page\b/g;
const PAGE_BYTES = 11;

/** @returns what counts the pages of a PDF that comes in pieces */
const pageCounter = () => {
  let [count, rest] = [0, ""];
  return {
    look: (bytes: Buffer): void => {
      const text = rest + bytes.toString("latin1");
      count += text.match(PAGE)?.length ?? 0;
      rest = text.slice(-PAGE_BYTES).replace(PAGE, "");
    },
    count: (): number => count,
  };
};
