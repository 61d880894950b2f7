import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { startLocalService } from "../services/local-service.ts";
import { openBrowser, openVisitor } from "./browser.ts";
import { browserUrl, pagePaths } from "./dashboard.ts";
import { furnish } from "./furnish.ts";

/**
 * `node test/support/browser/screenshots.ts [--only /keys] [--locale de]`: starts the service, fills an account with sample data, and takes
 * screenshots of every page, wide and narrow, light and dark, in `.screenshots/`.
 */

const FOLDER = join(import.meta.dirname, "../../../.screenshots");
const WIDTHS = [375, 1_440];
const THEMES = ["light", "dark"] as const;

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { only: { type: "string" }, locale: { type: "string", default: "en-GB" } } });
  const env = { ANYFORM_ALLOW_ADDRESSES: "127.0.0.1", ANYFORM_VISITORS: "true" };
  const [service, browser] = await Promise.all([startLocalService({ env }), openBrowser()]);
  const url = browserUrl(service);
  try {
    await mkdir(FOLDER, { recursive: true });
    const owner = await openVisitor(browser, url);
    const { receiver } = await furnish({ service: () => service }, owner);
    const storage = await owner.context.storageState();
    for (const path of pagePaths().filter((one) => values.only === undefined || one === values.only)) {
      await shoot(browser, { url, path, locale: values.locale, storage });
    }
    receiver.close();
  } finally {
    await browser.close();
    await service.stop();
    await service.erase();
  }
};

interface Shot {
  readonly url: string;
  readonly path: string;
  readonly locale: string;
  readonly storage: Awaited<ReturnType<Awaited<ReturnType<typeof openVisitor>>["context"]["storageState"]>>;
}

/** Pages that are shown only to people who are not signed in. */
const GUESTS: ReadonlySet<string> = new Set(["/sign-in"]);

const shoot = async (browser: Browser, { url, path, locale, storage }: Shot): Promise<void> => {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const { context, page, complaints } = await openVisitor(browser, url, { width, theme, locale });
      if (!GUESTS.has(path)) {
        await context.addCookies(storage.cookies);
      }
      await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
      const name = `${path.replaceAll("/", "-").slice(1) || "convert"}-${locale.slice(0, 2)}-${width}-${theme}.png`;
      await rm(join(FOLDER, name), { force: true });
      await page.screenshot({ path: join(FOLDER, name), fullPage: true });
      console.log(`.screenshots/${name}${complaints.length > 0 ? `: ${complaints.join("; ")}` : ""}`);
      await context.close();
    }
  }
};

await main();
