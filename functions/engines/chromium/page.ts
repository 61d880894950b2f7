import { JobError } from "../../domain/errors.ts";
import { ProgramLost } from "../io/warm.ts";
import type { Browser } from "./browser.ts";
import { MESSAGE_BYTES_MAX, type Protocol } from "./protocol.ts";
import { ADDRESS, count, type LeftOut, type ReadyDocument } from "./ready.ts";

/** A page with the document in it, in a context that nothing else shares. */
export interface Page {
  /** Gives the page a command. @throws as the protocol does, and when the page has crashed */
  call(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
}

export interface PageSetting {
  readonly document: ReadyDocument;
  readonly html: string;
  readonly media: "print" | "screen";
  /** The window, in CSS pixels, and how many pixels of a picture one has. */
  readonly window: { readonly width: number; readonly height: number; readonly scale: number };
}

/**
 * Shows the document, and does something with the page. Its requests are all answered here: with what belongs to the
 * document, else with nothing, which is counted among what was left out.
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
    // When the browser is gone, that is what the work has thrown already.
    await protocol.call("Target.disposeBrowserContext", { browserContextId }).catch(() => {});
  }
};

/** A page that crashes in a fresh browser, too, does so by its document. */
const crashedPage = (): ProgramLost =>
  new ProgramLost("The browser's page crashed.", {
    cause: new JobError("unsupported_feature", "The browser crashes over this document: it asks for too much."),
  });

/** @returns the size of the document as it is shown in the window, in CSS pixels; at least that of the window */
export const contentSize = async ({ call }: Page): Promise<{ readonly width: number; readonly height: number }> => {
  const { cssContentSize: size } = await call("Page.getLayoutMetrics");
  if (typeof size !== "object" || size === null || !("width" in size && "height" in size)) {
    throw new TypeError("The browser does not tell the size of the document.");
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
  // Whoever waits hears of it; when nobody does, it is no news.
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
    const { errorText } = await call("Page.navigate", { url: ADDRESS });
    if (errorText !== undefined) {
      throw new Error(`The browser did not take the document: ${errorText}`);
    }
    await Promise.race([loaded.promise, crashed.promise]);
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
 * What the document may do beside showing itself: nothing. Pictures, styles and fonts on the network are let through to
 * be asked for, so that we hear of them.
 */
const POLICY =
  "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline' http: https:; font-src data: http: https:; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** What fits into one message in base64, with room for the rest of it. */
const DOCUMENT_BYTES_MAX = 0.74 * MESSAGE_BYTES_MAX;

/** @returns a function that finds the answer to a request: a command and what it says */
const answering = ({ document, html }: PageSetting) => {
  const main = { mediaType: "text/html; charset=utf-8", bytes: Buffer.from(html) };
  if (main.bytes.length > DOCUMENT_BYTES_MAX) {
    throw new JobError(
      "output_too_large",
      `Without its pictures the HTML has ${main.bytes.length} bytes; at most ${DOCUMENT_BYTES_MAX} are shown.`,
    );
  }
  return ({ request, resourceType }: Readonly<Record<string, unknown>>): readonly [string, object] => {
    const address = addressOf(request);
    const file = address === ADDRESS && resourceType === "Document" ? main : document.files.get(address);
    if (file === undefined) {
      countRequest(document.counts, address, String(resourceType));
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

const addressOf = (request: unknown): string =>
  typeof request === "object" && request !== null && "url" in request ? String(request.url) : "";

/** What was asked for at the document's own address lies beside it, and did not come along. */
const countRequest = (counts: Map<LeftOut, number>, address: string, kind: string): void => {
  const beside = address.startsWith(ADDRESS);
  if (kind === "Image" || kind === "Font" || kind === "Stylesheet") {
    const code = kind === "Image" ? "pictures_dropped" : "styles_dropped";
    count(counts, beside ? code : "remote_content_dropped");
  }
};
