import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** The Chromium of Debian's `apt-get install chromium`. */
export const CHROMIUM = "/usr/bin/chromium";

export const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  // Only loopback bypasses the proxy, which does not exist: no request leaves the machine.
  "--proxy-server=http://127.0.0.1:9",
];

/** Timeout of a step: only detects hangs, also on a machine with other work. */
const STEP_MS_MAX = 90_000;

/**
 * Whether a browser is installed. Without one these tests are skipped; where everything is required
 * (`ANYFORM_REQUIRE_ALL`, as in CI), this is a failure.
 */
export const hasBrowser = (): boolean => {
  const found = existsSync(CHROMIUM);
  if (!found && process.env.ANYFORM_REQUIRE_ALL) {
    throw new Error(`${CHROMIUM} is not installed. It is required to test the pages.`);
  }
  return found;
};

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });

export interface VisitorSettings {
  /** @default en-GB */
  readonly locale?: string;
  /** @default 1280 */
  readonly width?: number;
  /** @default light */
  readonly theme?: "dark" | "light";
  /** Whether it is a phone or tablet with a touch screen. @default false */
  readonly touch?: boolean;
  /** Disables the content security policy of pages, so that test tools can be injected. @default false */
  readonly bypassPolicy?: boolean;
}

/** A person with a separate browser context: cookies, language, size of the window. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The URL of the service as a browser opens it, without a trailing slash. */
  readonly url: string;
  /** Errors in the pages: exceptions, console errors, policy violations, requests to other hosts. */
  readonly complaints: string[];
  /** Responses of 400 and more, and requests that failed: `422 POST /api/v1/session`. */
  readonly refusals: string[];
}

export const openVisitor = async (browser: Browser, url: string, settings: VisitorSettings = {}): Promise<Visitor> => {
  const { locale = "en-GB", width = 1_280, theme = "light", touch = false, bypassPolicy = false } = settings;
  const context = await browser.newContext({
    locale,
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
    hasTouch: touch,
    isMobile: touch,
    bypassCSP: bypassPolicy,
    acceptDownloads: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(STEP_MS_MAX);
  const page = await context.newPage();
  return { page, context, url, ...listenTo(context, url) };
};

const listenTo = (context: BrowserContext, url: string): Pick<Visitor, "complaints" | "refusals"> => {
  const complaints: string[] = [];
  const refusals: string[] = [];
  context.on("console", (message) => {
    // The browser logs every failed request; `refusals` contains them in more detail.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  context.on("weberror", (error) => complaints.push(String(error.error().stack ?? error.error())));
  context.on("request", (request) => {
    if (!/^(?:blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin) {
      complaints.push(`Request to another host: ${request.url()}`);
    }
  });
  const pathOf = (address: string): string => new URL(address).pathname;
  context.on("response", (response) => {
    if (response.status() >= 400) {
      refusals.push(`${response.status()} ${response.request().method()} ${pathOf(response.url())}`);
    }
  });
  context.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // Requests that a page no longer needs are aborted when the page is closed; and a download does not show a page.
    if (why !== "net::ERR_ABORTED") {
      refusals.push(`${why} ${request.method()} ${pathOf(request.url())}`);
    }
  });
  return { complaints, refusals };
};
