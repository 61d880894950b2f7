import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Debian's Chromium, as `apt-get install chromium` puts it there. */
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
  // Only loopback is reached without the proxy, and there is none: nothing leaves the machine.
  "--proxy-server=http://127.0.0.1:9",
];

/** What a step may take: against hanging, on a machine that others use, too. */
const STEP_MS_MAX = 30_000;

/**
 * Whether there is a browser to test in. Without one these tests are left out; where everything is required
 * (`ANYFORM_REQUIRE_ALL`, as in CI), its absence is a failure.
 */
export const hasBrowser = (): boolean => {
  const found = existsSync(CHROMIUM);
  if (!found && process.env.ANYFORM_REQUIRE_ALL) {
    throw new Error(`${CHROMIUM} is needed to test the pages, and is not installed.`);
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
  /** Takes the policy of pages away, so that tools of tests can be put in. @default false */
  readonly bypassPolicy?: boolean;
}

/** Somebody with a browser of their own: cookies, language, size of the window. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Where the service is, as a browser is told to open it; without a slash at the end. */
  readonly url: string;
  /** What went wrong in the pages: exceptions, errors in the console, violations of the policy, requests to other hosts. */
  readonly complaints: string[];
  /** Answers of 400 and more, and requests that broke off: `422 POST /api/v1/session`. */
  readonly refusals: string[];
}

export const openVisitor = async (browser: Browser, url: string, settings: VisitorSettings = {}): Promise<Visitor> => {
  const { locale = "en-GB", width = 1_280, theme = "light", bypassPolicy = false } = settings;
  const context = await browser.newContext({
    locale,
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
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
    // The browser says so of every refused request; `refusals` has them, with more.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  context.on("weberror", (error) => complaints.push(String(error.error().stack ?? error.error())));
  context.on("request", (request) => {
    if (!/^(?:blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin) {
      complaints.push(`It asks another host: ${request.url()}`);
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
    // What a page no longer wants when it is left, it breaks off; and a download is no page to show.
    if (why !== "net::ERR_ABORTED") {
      refusals.push(`${why} ${request.method()} ${pathOf(request.url())}`);
    }
  });
  return { complaints, refusals };
};
