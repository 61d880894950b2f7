import { JobError } from "../../../domain/errors.ts";
import { ProgramLost } from "../../core/warm.ts";
import type { LeftOut } from "../html/left-out.ts";
import type { Browser } from "./browser.ts";
import { MESSAGE_BYTES_MAX, type Protocol } from "./protocol.ts";
import { DOCUMENT_URL, type PrintedPart } from "./ready.ts";

/** A page with the document, in an isolated browser context. */
export interface Page {
  /** Sends a command to the page. @throws as the protocol does, and when the page has crashed */
  call(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
}

export interface PageSetting {
  readonly document: PrintedPart;
  readonly html: string;
  readonly media: "print" | "screen";
  /** The window size in CSS pixels, and the device pixels per CSS pixel. */
  readonly window: { readonly width: number; readonly height: number; readonly scale: number };
}

/**
 * Loads the document and runs a task with the page. All requests are intercepted: the document's files are served, and
 * all other requests are rejected and counted as left out.
 */
export const withPage = async <R>(
  { protocol }: Browser,
  setting: PageSetting,
  work: (page: Page) => Promise<R>,
): Promise<R> => {
  const { browserContextId } = await protocol.call("Target.createBrowserContext");
  try {
    const { targetId } = await protocol.call("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await protocol.call("Target.attachToTarget", { targetId, flatten: true });
    return await onPage(protocol, { setting, session: String(sessionId) }, work);
  } finally {
    // If the browser is gone, the work has already thrown that error.
    await protocol.call("Target.disposeBrowserContext", { browserContextId }).catch(() => {});
  }
};

/** A page that crashes in a fresh browser as well is crashed by its document. */
export const crashedPage = (): ProgramLost =>
  new ProgramLost("The browser's page crashed.", {
    cause: new JobError("unsupported_feature", "The document crashes the browser: it is too complex."),
  });

/** @returns the size of the rendered document in CSS pixels; at least the size of the window */
export const contentSize = async ({ call }: Page): Promise<{ readonly width: number; readonly height: number }> => {
  const { cssContentSize: size } = await call("Page.getLayoutMetrics");
  if (typeof size !== "object" || size === null || !("width" in size && "height" in size)) {
    throw new TypeError("The browser did not report the size of the document.");
  }
  return { width: Math.ceil(Number(size.width)), height: Math.max(1, Math.ceil(Number(size.height))) };
};

interface OpenPage {
  readonly setting: PageSetting;
  readonly session: string;
}

const onPage = async <R>(
  protocol: Protocol,
  { setting, session }: OpenPage,
  work: (page: Page) => Promise<R>,
): Promise<R> => {
  const loaded = Promise.withResolvers<void>();
  const crashed = Promise.withResolvers<never>();
  // Prevents an unhandled rejection when nothing is waiting.
  crashed.promise.catch(() => {});
  const call = (method: string, params: object = {}) =>
    Promise.race([protocol.call(method, params, session), crashed.promise]);
  const answer = answering(setting);
  const stop = protocol.listen(session, ({ method, params }) => {
    if (method === "Fetch.requestPaused") {
      const [how, what] = answer(params);
      call(how, { requestId: params.requestId, ...what }).catch(() => {});
    } else if (method === "Page.loadEventFired") {
      loaded.resolve();
    } else if (method === "Inspector.targetCrashed") {
      crashed.reject(crashedPage());
    }
  });
  try {
    await Promise.all(preparations(setting).map(([method, params]) => call(method, params)));
    const { errorText } = await call("Page.navigate", { url: DOCUMENT_URL });
    if (errorText !== undefined) {
      throw new Error(`The browser could not load the document: ${errorText}`);
    }
    await Promise.race([loaded.promise, crashed.promise, protocol.gone]);
    return await work({ call });
  } finally {
    stop();
  }
};

const preparations = ({ media, window }: PageSetting): (readonly [string, object])[] => [
  ["Page.enable", {}],
  ["Inspector.enable", {}],
  ["Emulation.setScriptExecutionDisabled", { value: true }],
  ["Fetch.enable", { patterns: [{ urlPattern: "*" }] }],
  ["Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: "light" }] }],
  [
    "Emulation.setDeviceMetricsOverride",
    { width: window.width, height: window.height, deviceScaleFactor: window.scale, mobile: false },
  ],
];

/**
 * The document may only render. Pictures, styles and fonts on the network may be requested, so that we can count them.
 */
const POLICY =
  "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline' http: https:; font-src data: http: https:; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The maximum that fits in one message in base64, with room for the rest of the message. */
const DOCUMENT_BYTES_MAX = 0.74 * MESSAGE_BYTES_MAX;

/** @returns a function that maps a request to its response: a command and its parameters */
const answering = ({ document, html }: PageSetting) => {
  const main = { mediaType: "text/html; charset=utf-8", bytes: Buffer.from(html) };
  if (main.bytes.length > DOCUMENT_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `Without its pictures, the HTML has ${main.bytes.length} bytes; the limit is ${DOCUMENT_BYTES_MAX}.`,
    );
  }
  return ({ request, resourceType }: Readonly<Record<string, unknown>>): readonly [string, object] => {
    const url = urlOf(request);
    const file = url === DOCUMENT_URL && resourceType === "Document" ? main : document.files.get(url);
    if (file === undefined) {
      countRequest(document.leftOut, url, String(resourceType));
      return ["Fetch.failRequest", { errorReason: "BlockedByClient" }];
    }
    const responseHeaders = Object.entries({
      "content-type": file.mediaType,
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
    }).map(([name, value]) => ({ name, value }));
    return [
      "Fetch.fulfillRequest",
      { responseCode: 200, responseHeaders, body: Buffer.from(file.bytes).toString("base64") },
    ];
  };
};

const urlOf = (request: unknown): string =>
  typeof request === "object" && request !== null && "url" in request ? String(request.url) : "";

/** Requests to the document's host are for files next to the document, which were not uploaded with it. */
const countRequest = (leftOut: LeftOut, url: string, kind: string): void => {
  const adjacent = url.startsWith(DOCUMENT_URL);
  if (kind === "Image" || kind === "Font" || kind === "Stylesheet") {
    const code = kind === "Image" ? "pictures_dropped" : "styles_dropped";
    leftOut.add(adjacent ? code : "remote_content_dropped");
  }
};
