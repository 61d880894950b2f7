import { SCREEN } from "../../domain/conversions/by-engine/documents/chromium.ts";
import type { Options } from "../../domain/conversions/options.ts";
import { JobError } from "../../domain/errors.ts";
import { type Engine, type EngineResult, type EngineTask, rowFor } from "../core/engine.ts";
import { inTime } from "../core/in-time.ts";
import { browsers } from "./chromium/browser.ts";
import { pageMillimeters } from "./chromium/sheet.ts";
import { type FreshBrowser, openBrowser, printSample } from "./web/fresh-browser.ts";
import { drawSite, printSite } from "./web/output.ts";
import { type Visit, visit } from "./web/site.ts";
import { SOURCES, type WebSource } from "./web/source.ts";

/**
 * Opens a page in a browser that is started for it, with its scripts, and prints or draws it. The page has the network
 * that the proxy of the task allows, or none.
 */
export const webEngine: Engine = {
  name: "web",
  version: () => browsers.use(async ({ protocol }) => String((await protocol.call("Browser.getVersion")).product)),
  convert: async (task) => {
    const source = await rowFor(SOURCES, task.from, "web")(task);
    if (source.files === undefined && task.network === undefined) {
      throw new JobError("unsupported_feature", "This server does not load web pages.");
    }
    const browser = await (prepared ?? openBrowser());
    prepared = undefined;
    try {
      if (task.network !== undefined) {
        browser.forwardTo(task.network);
      }
      const work = render(task, browser, source);
      // The work fails when the browser is killed, after its error no longer matters.
      work.catch(() => {});
      return await inTime(PAGE_MS_MAX, Promise.race([work, browser.protocol.gone]), () => {
        throw new JobError("timed_out", `The browser did not finish the page within ${PAGE_MS_MAX / 1_000} s.`);
      });
    } finally {
      // The converter ends with this conversion, so nothing waits for the browser.
      void browser.kill();
    }
  },
  prepare: async () => {
    prepared ??= openBrowser();
    await printSample(await prepared);
  },
};

/** The browser of the next page, if one was prepared. */
let prepared: Promise<FreshBrowser> | undefined;

/** Milliseconds of a page: 30 to load, 30 until a selector matches, 30 of `wait_ms`, and the rest to print. */
const PAGE_MS_MAX = 110_000;

const render = async (task: EngineTask, browser: FreshBrowser, source: WebSource): Promise<EngineResult> => {
  const { to, options } = task;
  const isPrinted = to === "pdf";
  const window = isPrinted ? printedWindow(options) : drawnWindow(options);
  const media = options.css_media ?? (isPrinted ? "print" : "screen");
  const { page, warnings } = await visit(browser, { source, options, media, window });
  task.progress(0.5);
  if (isPrinted) {
    await printSite(page, task);
    return { warnings };
  }
  return { warnings, parts: await drawSite(page, task, window) };
};

const CSS_DPI = 96;
const MILLIMETERS_PER_INCH = 25.4;
const WINDOW_HEIGHT = 800;

/** The picture has exactly the requested width, so the scale is adjusted by a fraction of a pixel. */
const drawnWindow = ({ width = SCREEN.width, height, dpi = SCREEN.dpi }: Options): Visit["window"] => {
  const wide = Math.max(1, Math.round((width * CSS_DPI) / dpi));
  const scale = width / wide;
  return { width: wide, height: Math.max(1, Math.round(height === undefined ? WINDOW_HEIGHT : height / scale)), scale };
};

const printedWindow = (options: Options): Visit["window"] => {
  const [width, height] = pageMillimeters(options);
  const pixels = (millimeters: number) => Math.round((millimeters / MILLIMETERS_PER_INCH) * CSS_DPI);
  return { width: pixels(options.page_width ?? width), height: pixels(options.page_height ?? height), scale: 1 };
};
