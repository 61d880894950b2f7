import type { FormatId } from "../../domain/formats/formats.ts";
import { safeFilename } from "../../domain/uploads/upload.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineResult, type EngineTask, rowFor } from "../core/engine.ts";
import { type EmbeddedFile, embedFiles } from "./chromium/attachments.ts";
import { browsers } from "./chromium/browser.ts";
import { readyDocument } from "./chromium/document.ts";
import { printDrawing, readDrawing } from "./chromium/drawing.ts";
import { draw } from "./chromium/picture.ts";
import { print } from "./chromium/print.ts";
import { withBrowser } from "./chromium/with-browser.ts";
import { readHtml } from "./html/reader.ts";

/**
 * Renders HTML in a browser, as PDF pages or as an image, and prints drawings. Scripts do not run and nothing is
 * fetched.
 */
export const chromiumEngine: Engine = {
  name: "chromium",
  version: () => browsers.use(async ({ protocol }) => String((await protocol.call("Browser.getVersion")).product)),
  convert: async (task) => {
    const { from, to } = task;
    if (from === "svg" && to === "pdf") {
      return printSvg(task);
    }
    const source = await rowFor(SOURCES, from, "chromium")(task);
    const made = await (to === "pdf" ? printed(task, source) : drawn(task, source));
    return { ...made, warnings: [...source.warnings, ...made.warnings] };
  },
};

const printSvg = async (task: EngineTask): Promise<EngineResult> => {
  const drawing = await readDrawing(task.input);
  await withBrowser((browser) => printDrawing(browser, task, drawing));
  return { warnings: drawing.leftOut.warnings() };
};

/** What the browser receives. */
interface Source {
  readonly html: string;
  /** Files to embed in a PDF. */
  readonly attachments: readonly EmbeddedFile[];
  readonly warnings: readonly Warning[];
}

const ofHtml = (html: string): Source => ({ html, attachments: [], warnings: [] });

/** A message with its attachments as files in the PDF. */
const ofMessage = async (task: EngineTask): Promise<Source> => {
  const { readMessage } = await import("../mail/mail/read.ts");
  const { asHtml } = await import("../mail/mail/write.ts");
  const { filesOf } = await import("../mail/mail/message.ts");
  const message = await readMessage(task);
  const embeds = task.options.attachments === "embed";
  const { html, warnings } = asHtml(message, { embeds });
  const files = embeds ? filesOf(message) : [];
  return {
    html,
    attachments: files.map(({ filename, ...file }) => ({ name: safeFilename(filename), ...file })),
    warnings,
  };
};

const SOURCES: Partial<Record<FormatId, (task: EngineTask) => Promise<Source>>> = {
  html: async ({ input, options }) => ofHtml(await readHtml(input, options.encoding)),
  mhtml: async ({ input }) => {
    const { readWebPage } = await import("../mail/mail/web-page.ts");
    return ofHtml(await readWebPage(input));
  },
  eml: ofMessage,
  msg: ofMessage,
};

const printed = async (task: EngineTask, { html, attachments }: Source): Promise<EngineResult> => {
  const document = readyDocument(html);
  await print(task, document);
  if (attachments.length > 0) {
    await embedFiles(task.output, attachments);
  }
  return { warnings: document.leftOut.warnings() };
};

const drawn = (task: EngineTask, { html }: Source): Promise<EngineResult> =>
  withBrowser(async (browser) => {
    // Created for each attempt because it counts the browser's requests.
    const document = readyDocument(html);
    const parts = await draw(browser, task, document);
    return { warnings: document.leftOut.warnings(), parts };
  });
