import { BROWSER_MS_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type Browser, browsers } from "./chromium/browser.ts";
import { readyDocument } from "./chromium/document.ts";
import { draw } from "./chromium/picture.ts";
import { print } from "./chromium/print.ts";
import { type ReadyDocument, warningsOf } from "./chromium/ready.ts";
import type { Engine, EngineTask, Part } from "./engine.ts";
import { readHtml } from "./io/html-reader.ts";
import { inTime } from "./io/in-time.ts";

/** HTML as a browser shows it: on pages, and as a picture. Nothing in it runs, and nothing is fetched. */
export const chromiumEngine: Engine = {
  name: "chromium",
  version: () => browsers.use(async ({ protocol }) => String((await protocol.call("Browser.getVersion")).product)),
  convert: async (task) => {
    const make = MAKERS[task.to];
    if (make === undefined || task.from !== "html") {
      throw new TypeError(`chromium does not turn ${task.from} into ${task.to}.`);
    }
    const html = await readHtml(task.input, task.options.encoding);
    return browsers.use(async (browser) => {
      // Anew for each attempt: what the browser asks for is counted with it.
      const document = readyDocument(html);
      const parts = await whileBusy(browser, make(browser, task, document));
      return { warnings: warningsOf(document.counts), ...(parts === undefined ? {} : { parts }) };
    });
  },
};

type Maker = (browser: Browser, task: EngineTask, document: ReadyDocument) => Promise<readonly Part[] | undefined>;

const MAKERS: Readonly<Record<string, Maker>> = { pdf: print, png: draw, jpg: draw, webp: draw };

/** A browser that is still busy with one document is no good for the next: it goes. */
const whileBusy = <R>(browser: Browser, work: Promise<R>): Promise<R> =>
  inTime(BROWSER_MS_MAX, work, () => {
    void browser.kill();
    throw new JobError("timed_out", `The browser took over ${BROWSER_MS_MAX / 1_000} s for the document.`);
  });
