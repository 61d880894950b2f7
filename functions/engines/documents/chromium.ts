import type { Engine, EngineResult, EngineTask, Part } from "../core/engine.ts";
import { type Browser, browsers } from "./chromium/browser.ts";
import { readyDocument } from "./chromium/document.ts";
import { printDrawing, readDrawing } from "./chromium/drawing.ts";
import { draw } from "./chromium/picture.ts";
import { print } from "./chromium/print.ts";
import type { ReadyDocument } from "./chromium/ready.ts";
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
    if (task.from === "svg" && task.to === "pdf") {
      return printSvg(task);
    }
    const make = MAKERS[task.to];
    if (make === undefined || task.from !== "html") {
      throw new TypeError(`chromium cannot convert ${task.from} to ${task.to}.`);
    }
    const html = await readHtml(task.input, task.options.encoding);
    return withBrowser(async (browser) => {
      // Created for each attempt because it counts the browser's requests.
      const document = readyDocument(html);
      const parts = await make(browser, task, document);
      return { warnings: document.leftOut.warnings(), ...(parts === undefined ? {} : { parts }) };
    });
  },
};

const printSvg = async (task: EngineTask): Promise<EngineResult> => {
  const drawing = await readDrawing(task.input);
  await withBrowser((browser) => printDrawing(browser, task, drawing));
  return { warnings: drawing.leftOut.warnings() };
};

type Maker = (browser: Browser, task: EngineTask, document: ReadyDocument) => Promise<readonly Part[] | undefined>;

const MAKERS: Readonly<Record<string, Maker>> = { pdf: print, png: draw, jpg: draw, webp: draw };
