import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { startLocalService } from "../services/local-service.ts";
import { openBrowser, openVisitor } from "./browser.ts";
import { browserUrl, OPERATOR_TEXTS, pagePaths, signInToFree } from "./dashboard.ts";
import { furnish } from "./furnish.ts";
import { enter, prepare, STATES, type State } from "./states.ts";

/**
 * `node test/support/browser/screenshots.ts [--only /keys] [--locale de] [--states] [--pictures]`: starts the service, fills
 * an account with sample data, and takes screenshots of every page in three widths, light and dark, in `.screenshots/`; with
 * `--states` of dialogs, empty lists, errors and loading; with `--pictures` the pictures of README and docs, in
 * `docs/pictures/`.
 */

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, ".screenshots");
const PICTURES = join(ROOT, "docs/pictures");
const WIDTHS = [375, 768, 1_440];
const THEMES = ["light", "dark"] as const;

/** The account that is shown also operates the service. */
const OPERATOR = "you@example.com";

/** The pages that pictures of the documentation show, by name. */
const SHOWN = {
  dashboard: "/jobs",
  front: "/",
  reference: "/api/v1/docs#convertFile",
  status: "/status",
} as const;

/** Enough for sharp text; all pictures together have less than 600 kB. */
const WEBP_QUALITY = 70;

type Theme = (typeof THEMES)[number];
type Visited = Awaited<ReturnType<typeof openVisitor>>;
type Storage = Awaited<ReturnType<Visited["context"]["storageState"]>>;

interface Shot {
  readonly url: string;
  readonly path: string;
  readonly locale: string;
  readonly storage: Storage;
  /** @default the usual content */
  readonly state?: State;
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      locale: { type: "string", default: "en-GB" },
      states: { type: "boolean", default: false },
      pictures: { type: "boolean", default: false },
    },
  });
  const env = {
    ANYFORM_ALLOW_ADDRESSES: "127.0.0.1",
    ANYFORM_VISITORS: "true",
    ANYFORM_OPERATORS: OPERATOR,
    ANYFORM_OPERATOR_PAGES: OPERATOR_TEXTS,
  };
  const [service, browser] = await Promise.all([startLocalService({ env }), openBrowser()]);
  const url = browserUrl(service);
  try {
    const owner = await openVisitor(browser, url);
    const { receiver } = await furnish({ service: () => service }, owner, OPERATOR);
    const shot = { url, locale: values.locale, storage: await owner.context.storageState() };
    if (values.pictures) {
      await picturesOf(browser, shot);
    } else if (values.states) {
      const newcomer = await openVisitor(browser, url);
      await signInToFree({ service: () => service }, newcomer);
      const storages = { owner: shot.storage, newcomer: await newcomer.context.storageState() };
      for (const state of STATES.filter(({ path }) => values.only === undefined || path === values.only)) {
        await shoot(browser, { ...shot, path: state.path, state, storage: storages[state.by ?? "owner"] });
      }
    } else {
      const paths = [...pagePaths(), "/imprint", "/api/v1/docs#createJob", "/formats?from=heic", "/nowhere"];
      for (const path of paths.filter((one) => values.only === undefined || one === values.only)) {
        await shoot(browser, { ...shot, path });
      }
    }
    receiver.close();
  } finally {
    await browser.close();
    await service.stop();
    await service.erase();
  }
};

/** Pages that are shown only to people who are not signed in. */
const GUESTS: ReadonlySet<string> = new Set(["/sign-in"]);

/** Opens a page in a new browser context, and shows it to `look`. */
const visit = async (
  browser: Browser,
  { url, path, locale, storage, state }: Shot,
  { width, theme }: { readonly width: number; readonly theme: Theme },
  look: (visited: Visited) => Promise<void>,
): Promise<void> => {
  const visited = await openVisitor(browser, url, { width, theme, locale });
  if (!GUESTS.has(path)) {
    await visited.context.addCookies(storage.cookies);
  }
  if (state !== undefined) {
    await prepare(visited.page, state);
  }
  const isLoading = state?.responses === "none";
  await visited.page.goto(`${url}${path}`, { waitUntil: isLoading ? "load" : "networkidle" });
  await visited.page
    .locator(isLoading ? ".skeleton" : "h1")
    .first()
    .waitFor();
  if (state !== undefined) {
    await enter(visited.page, state);
  }
  await look(visited);
  await visited.context.close();
};

const shoot = async (browser: Browser, shot: Shot): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const page = [shot.path.replaceAll(/[^\w]+/g, "-").slice(1) || "convert", shot.state?.name ?? []].flat().join("-");
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await visit(browser, shot, { width, theme }, async ({ page: tab, complaints }) => {
        const name = `${page}-${shot.locale.slice(0, 2)}-${width}-${theme}.png`;
        await rm(join(FOLDER, name), { force: true });
        await tab.screenshot({ path: join(FOLDER, name), fullPage: shot.state?.button === undefined });
        console.log(`.screenshots/${name}${complaints.length > 0 ? `: ${complaints.join("; ")}` : ""}`);
      });
    }
  }
};

const picturesOf = async (browser: Browser, shot: Omit<Shot, "path">): Promise<void> => {
  for (const [name, path] of Object.entries(SHOWN)) {
    for (const theme of THEMES) {
      // The front page has more to show to visitors.
      const storage = path === "/" ? { cookies: [], origins: [] } : shot.storage;
      await visit(browser, { ...shot, path, storage }, { width: 1_280, theme }, async ({ page }) => {
        const file = join(PICTURES, `${name}-${theme}.webp`);
        const { size } = await sharp(await page.screenshot())
          .webp({ quality: WEBP_QUALITY })
          .toFile(file);
        console.log(`docs/pictures/${name}-${theme}.webp: ${Math.ceil(size / 1_000)} kB`);
      });
    }
  }
};

await main();
