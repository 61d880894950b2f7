import { setTimeout as pause } from "node:timers/promises";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { inTime } from "../../core/in-time.ts";
import { crashedPage, type Page } from "../chromium/page.ts";
import type { BrowserEvent } from "../chromium/protocol.ts";
import type { FreshBrowser } from "./fresh-browser.ts";
import { requestCommand } from "./requests.ts";
import { checkResponse, type MainResponse, notLoaded } from "./response.ts";
import type { WebSource } from "./source.ts";

/** How a page is opened. */
export interface Visit {
  readonly source: WebSource;
  readonly options: Options;
  readonly media: "print" | "screen";
  /** The window size in CSS pixels, and the device pixels per CSS pixel. */
  readonly window: { readonly width: number; readonly height: number; readonly scale: number };
}

export interface Visited {
  readonly page: Page;
  readonly warnings: readonly Warning[];
}

/** Milliseconds until a page must be complete. A page that loads longer is used as it is then. */
const LOAD_MS_MAX = 30_000;

/** Names of the browser for the moments of a document. */
const MOMENTS = {
  domcontentloaded: "DOMContentLoaded",
  load: "load",
  network_almost_idle: "networkAlmostIdle",
  network_idle: "networkIdle",
} as const;

/**
 * Opens the page and waits until it is complete. From then on, nothing on it changes.
 *
 * @throws JobError `page_unavailable`
 */
export const visit = async ({ protocol, frame, session }: FreshBrowser, setting: Visit): Promise<Visited> => {
  const crashed = Promise.withResolvers<never>();
  crashed.promise.catch(() => {});
  const call = (method: string, params: object = {}) =>
    Promise.race([protocol.call(method, params, session), crashed.promise]);
  const watched = watch(setting, frame);
  protocol.listen(session, (event) => {
    if (event.method === "Inspector.targetCrashed") {
      crashed.reject(crashedPage());
    }
    const command = watched.on(event);
    if (command !== undefined) {
      call(...command).catch(() => {});
    }
  });
  const page = { call };
  await Promise.all(preparations(setting).map(([method, params]) => call(method, params)));
  await open(page, setting.source);
  const isComplete = await inTime(
    LOAD_MS_MAX,
    Promise.race([watched.complete.then(() => true), crashed.promise, protocol.gone]),
    () => false,
  );
  checkResponse(watched.response());
  await waitFurther(page, setting.options);
  await call("Page.stopLoading");
  await call("Emulation.setScriptExecutionDisabled", { value: true });
  const detail = `The page was still loading after ${LOAD_MS_MAX / 1_000} s.`;
  return { page, warnings: isComplete ? [] : [{ code: "page_incomplete", detail }] };
};

const open = async ({ call }: Page, { url }: WebSource): Promise<void> => {
  const { errorText, isDownload } = await call("Page.navigate", { url });
  if (isDownload === true) {
    throw new JobError("page_unavailable", "The URL returns a file, not a web page. Upload it with its URL instead.");
  }
  if (typeof errorText === "string") {
    throw notLoaded(errorText);
  }
};

/** @returns what is known about the page, and the browser's commands for its events */
const watch = (setting: Visit, frame: string) => {
  const complete = Promise.withResolvers<void>();
  const moment = MOMENTS[setting.options.wait_until ?? "load"];
  let response: MainResponse | undefined;
  let loader: unknown;
  const on = ({ method, params }: BrowserEvent): readonly [string, object] | undefined => {
    if (method === "Fetch.requestPaused") {
      return requestCommand(setting, params);
    }
    if (method === "Page.javascriptDialogOpening") {
      return ["Page.handleJavaScriptDialog", { accept: false }];
    }
    // The connection of the document was lost in the middle: what has arrived is all there is.
    if (method === "Network.loadingFailed" && params.requestId === loader) {
      complete.resolve();
    }
    if (params.frameId !== frame) {
      return undefined;
    }
    if (method === "Network.responseReceived" && params.type === "Document") {
      response = params.response as MainResponse;
      loader = params.loaderId;
    }
    // The blank page before has such moments as well.
    if (method === "Page.lifecycleEvent" && params.name === moment && params.loaderId === loader) {
      complete.resolve();
    }
    return undefined;
  };
  return { on, complete: complete.promise, response: () => response };
};

const waitFurther = async (page: Page, { wait_for_selector: selector, wait_ms: milliseconds }: Options) => {
  if (selector !== undefined) {
    await waitForSelector(page, selector);
  }
  if (milliseconds !== undefined) {
    await pause(milliseconds);
  }
};

/** Runs in a separate world, where the page's scripts cannot change what it finds. */
const SELECTED = `(selector) => new Promise((resolve) => {
  const check = () => document.querySelector(selector) !== null && resolve(true);
  if (!check()) new MutationObserver(check).observe(document, { subtree: true, childList: true, attributes: true });
})`;

const waitForSelector = async ({ call }: Page, selector: string): Promise<void> => {
  const { frameTree } = (await call("Page.getFrameTree")) as { frameTree: { frame: { id: string } } };
  const { executionContextId } = await call("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const evaluated = call("Runtime.evaluate", {
    expression: `(${SELECTED})(${JSON.stringify(selector)})`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  const { exceptionDetails } = await inTime(LOAD_MS_MAX, evaluated, () => {
    throw new JobError(
      "page_unavailable",
      `No element matched the selector ${selector} within ${LOAD_MS_MAX / 1_000} s.`,
    );
  });
  if (exceptionDetails !== undefined) {
    throw new JobError("unsupported_feature", `The selector ${selector} is not valid, or the page left it.`);
  }
};

const preparations = ({ source, options, media, window }: Visit): (readonly [string, object])[] => [
  ["Page.enable", {}],
  ["Page.setLifecycleEventsEnabled", { enabled: true }],
  ["Network.enable", {}],
  ["Inspector.enable", {}],
  ["Emulation.setScriptExecutionDisabled", { value: !(options.javascript ?? source.scripts) }],
  ...fetchPatterns(source, options),
  ["Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: "light" }] }],
  [
    "Emulation.setDeviceMetricsOverride",
    { width: window.width, height: window.height, deviceScaleFactor: window.scale, mobile: false },
  ],
  ...(options.user_agent === undefined
    ? []
    : [["Emulation.setUserAgentOverride", { userAgent: options.user_agent }] as const]),
  ...cookiesOf(source.url, options.cookies),
];

/** The client's headers are only sent to the origin of the URL. */
const fetchPatterns = ({ url, files }: WebSource, { request_headers }: Options): (readonly [string, object])[] => {
  const pattern = files === undefined ? `${new URL(url).origin}/*` : "*";
  return files === undefined && request_headers === undefined
    ? []
    : [["Fetch.enable", { patterns: [{ urlPattern: pattern }] }]];
};

const cookiesOf = (url: string, text = ""): (readonly [string, object])[] => {
  const cookies = text.split(";").flatMap((pair) => {
    const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === "" ? [] : [{ name, value, url }];
  });
  return cookies.length === 0 ? [] : [["Network.setCookies", { cookies }]];
};
