import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, openBrowser, openVisitor, type Visitor } from "../../support/browser/browser.ts";
import { browserUrl, fixture, OPERATOR_TEXTS, pagePaths } from "../../support/browser/dashboard.ts";
import { furnish } from "../../support/browser/furnish.ts";
import { DIALOGS } from "../../support/browser/states.ts";
import { IS_COMPLETE } from "../../support/run/complete.ts";
import { addFiles, choose } from "./on-convert.ts";
import { stage } from "./stage.ts";

type Cookies = Parameters<Visitor["context"]["addCookies"]>[0];

const WIDTHS = [375, 1_440] as const;
const THEMES = ["light", "dark"] as const;
/** The widths and themes in which pages are checked: all in the complete run, otherwise each width and theme once. */
const VIEWS = WIDTHS.flatMap((width) => THEMES.map((theme) => ({ width, theme }))).filter(
  ({ width, theme }) => IS_COMPLETE || (width === WIDTHS[0]) === (theme === "light"),
);

/** @returns what is checked in a view: everything in the complete run, otherwise each item in one of the views */
const partFor = <Item>(view: (typeof VIEWS)[number], items: readonly Item[]): readonly Item[] =>
  items.filter((_, index) => IS_COMPLETE || index % VIEWS.length === VIEWS.indexOf(view));

/** The account that owns what the pages show also operates the service. */
const OPERATOR = "operator@example.com";

/** Pages for signed-out users. */
const PUBLIC_PATHS = [
  "/",
  "/sign-in",
  "/plans",
  "/docs",
  "/api/v1/docs#errors",
  "/api/v1/docs#createJob",
  "/api/v1/docs#jobCompleted",
  "/formats?from=docx",
  "/imprint",
  "/de/convert/mp4-to-mp3",
  "/nowhere",
];

/** Pixels of a narrow phone, which equal a desktop at 400% zoom. */
const NARROWEST = 320;

/** Time limit for checking all pages. */
const CHECK_MS_MAX = 180_000;

/** Compressed size of all scripts that a page loads, which a phone on a slow network waits for. */
const SCRIPT_BYTES_MAX = 100_000;

describe.skipIf(!hasBrowser())("layout, accessibility and size of the pages, in Chromium", () => {
  const at = stage({
    ANYFORM_ALLOW_ADDRESSES: "127.0.0.1",
    ANYFORM_VISITORS: "true",
    ANYFORM_OPERATORS: OPERATOR,
    ANYFORM_OPERATOR_PAGES: OPERATOR_TEXTS,
  });
  vi.setConfig({ testTimeout: CHECK_MS_MAX });
  let cookies: Cookies;
  let receiver: Server;
  beforeAll(async () => {
    const browser = await openBrowser();
    const owner = await openVisitor(browser, browserUrl(at.service()));
    ({ receiver } = await furnish(at, owner, OPERATOR));
    cookies = await owner.context.cookies();
    await browser.close();
  });
  afterAll(() => receiver?.close());

  const asOwner = async ({ context }: Visitor): Promise<void> => context.addCookies(cookies);

  test.each(VIEWS)(
    "pages follow all accessibility rules and do not scroll sideways, also at 320 px: $width px, $theme",
    (view) =>
      at.visit(
        async (visitor) => {
          await asOwner(visitor);
          const { page, url } = visitor;
          const paths = pagePaths().filter((path) => path !== "/sign-in");
          for (const path of partFor(view, paths)) {
            await open(page, `${url}${path}`);
            expect({ path, ...(await faultsOf(page)) }).toEqual({ path, violations: [], overhang: 0 });
            for (const width of [NARROWEST, ...WIDTHS, view.width]) {
              await page.setViewportSize({ width, height: 900 });
              expect({ path, width, overhang: await overhangOf(page) }).toEqual({ path, width, overhang: 0 });
            }
          }
        },
        { ...view, bypassPolicy: true },
      ),
  );

  test.each(VIEWS)("pages for signed-out users pass the same checks: $width px, $theme", (view) =>
    at.visit(
      async ({ page, url }) => {
        for (const path of partFor(view, PUBLIC_PATHS)) {
          await open(page, `${url}${path}`);
          expect({ path, ...(await faultsOf(page)) }).toEqual({ path, violations: [], overhang: 0 });
        }
      },
      { ...view, bypassPolicy: true, expected: [/^404 GET \/nowhere$/] },
    ),
  );

  test.each(VIEWS)("dialogs pass the same checks: $width px, $theme", (view) =>
    at.visit(
      async (visitor) => {
        await asOwner(visitor);
        const { page, url } = visitor;
        for (const { path, button = /./ } of partFor(view, DIALOGS)) {
          await open(page, `${url}${path}`);
          await page.getByRole("main").getByRole("button", { name: button }).first().click();
          await page.getByRole("dialog").waitFor();
          const dialog = `${path} ${button}`;
          expect({ dialog, ...(await faultsOf(page)) }).toEqual({ dialog, violations: [], overhang: 0 });
          await page.keyboard.press("Escape");
          await page.getByRole("dialog").waitFor({ state: "detached" });
        }
      },
      { ...view, bypassPolicy: true },
    ),
  );

  test.each(VIEWS)(
    "the list of files and its target and option dialogs pass the same checks: $width px, $theme",
    (view) =>
      at.visit(
        async (visitor) => {
          await asOwner(visitor);
          const { page, url } = visitor;
          await page.goto(url);
          await addFiles(page, [fixture("sample.png"), fixture("sample.docx")]);
          await choose(page, "sample.png", "jpg");
          await choose(page, "sample.docx", "pdf");
          expect(await faultsOf(page)).toEqual({ violations: [], overhang: 0 });
          for (const name of ["Convert sample.png to JPEG. Change format", "Options for sample.png"]) {
            await page.getByRole("button", { name }).click();
            await page.getByRole("dialog").waitFor();
            expect({ name, ...(await faultsOf(page)) }).toEqual({ name, violations: [], overhang: 0 });
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
          }
        },
        { ...view, bypassPolicy: true },
      ),
  );

  test("the accessibility check finds an image without alternative text", () =>
    at.visit(
      async ({ page, url }) => {
        await open(page, `${url}/status`);
        await page.evaluate(`document.querySelector("main").append(document.createElement("img"))`);
        expect((await faultsOf(page)).violations.join()).toContain("image-alt");
      },
      { bypassPolicy: true },
    ));

  test("on a phone the menu opens, navigates, and closes on Escape", () =>
    at.visit(
      async (visitor) => {
        await asOwner(visitor);
        const { page, url } = visitor;
        await page.goto(`${url}/keys`);
        const menu = page.getByRole("button", { name: "Menu" });
        await menu.click();
        await page.getByRole("link", { name: "Jobs" }).waitFor();
        expect(await menu.getAttribute("aria-expanded")).toBe("true");
        await page.keyboard.press("Escape");
        await page.getByRole("link", { name: "Jobs" }).waitFor({ state: "hidden" });
        await menu.click();
        await page.getByRole("link", { name: "Jobs" }).click();
        await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
        await page.getByRole("link", { name: "Webhooks" }).waitFor({ state: "hidden" });
      },
      { width: 375 },
    ));

  test("prints black on white in dark mode too, without what can only be clicked", () =>
    at.visit(async (visitor) => {
      await asOwner(visitor);
      const { page, url } = visitor;
      await open(page, `${url}/jobs`);
      await page.getByRole("combobox", { name: "Appearance" }).selectOption("dark");
      const shown = await page.evaluate("getComputedStyle(document.body).color");
      await page.emulateMedia({ media: "print" });
      const printed = await page.evaluate<string>("getComputedStyle(document.body).color");
      expect({ shown, printed }).toEqual({ shown: "rgb(232, 234, 238)", printed: "rgb(23, 25, 30)" });
      await page.getByText("sample.json").first().waitFor();
      await page.getByRole("button", { name: "Refresh" }).waitFor({ state: "hidden" });
      await page.getByRole("searchbox").waitFor({ state: "hidden" });
      await page.getByRole("banner").waitFor({ state: "hidden" });
    }));

  test.each(["", "/keys", "/docs", "/formats", "/de/convert/mp4-to-mp3"])(
    "the first load of %s/ has at most 100 kB of compressed script",
    (path) =>
      at.visit(async (visitor) => {
        await asOwner(visitor);
        const { page, url } = visitor;
        const sizes: Promise<number>[] = [];
        page.on("requestfinished", (request) => {
          if (request.resourceType() === "script") {
            sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
          }
        });
        await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
        await page.getByRole("heading", { level: 1 }).waitFor();
        const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
        expect(bytes).toBeGreaterThan(10_000);
        expect(bytes).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
      }),
  );
});

/** Milliseconds without an unfinished request after which a page shows everything. */
const IDLE_MS = 100;

/** Opens a page and waits for everything that it loads. Chromium's own "network idle" waits half a second more. */
const open = async (page: Page, url: string): Promise<void> => {
  const unfinished = new Set<Request>();
  let changedAt = 0;
  const starts = (request: Request): void => {
    unfinished.add(request);
  };
  const ends = (request: Request): void => {
    unfinished.delete(request);
    changedAt = performance.now();
  };
  page.on("request", starts).on("requestfinished", ends).on("requestfailed", ends);
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  while (unfinished.size > 0 || performance.now() - changedAt < IDLE_MS) {
    await pause(IDLE_MS / 4);
  }
  page.off("request", starts).off("requestfinished", ends).off("requestfailed", ends);
};

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

interface Faults {
  /** Violated accessibility rules with their elements. */
  readonly violations: readonly string[];
  /** Pixels by which the page is wider than the window. */
  readonly overhang: number;
}

const faultsOf = async (page: Page): Promise<Faults> => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>("axe.run(document)");
  return {
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    ),
    overhang: await overhangOf(page),
  };
};

const overhangOf = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
