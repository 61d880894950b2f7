import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import lighthouse, { desktopConfig, type Flags, type Result } from "lighthouse";
import { freePort } from "../test/support/address.ts";
import { CHROMIUM, CHROMIUM_ARGUMENTS, openBrowser, openVisitor } from "../test/support/browser/browser.ts";
import { browserUrl, OPERATOR_TEXTS, pagePaths } from "../test/support/browser/dashboard.ts";
import { furnish } from "../test/support/browser/furnish.ts";
import { startLocalService } from "../test/support/services/local-service.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { printTable } from "./support/figures.ts";

/**
 * `node bench pages [--only /keys] [--public]`: Lighthouse scores of every page, on a phone and on a desktop, with Debian's
 * Chromium. Pages below {@link MARK_MIN} are listed with their failed audits. `--public`: the pages that search engines
 * list, for a visitor who is not signed in, with the median of three runs.
 */

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const MARK_MIN = 95;
const RUNS_MAX = 3;
/** Pages that differ for signed-in users, and are measured signed out. */
const GUESTS: ReadonlySet<string> = new Set(["/sign-in"]);
const HEADER = ["page", "form", "performance", "accessibility", "best practices", "SEO"];

const PUBLIC_PAGES = [
  "/",
  "/docs",
  "/api/v1/docs",
  "/formats",
  "/plans",
  "/status",
  "/sign-in",
  "/imprint",
  "/convert/heic-to-jpg",
  "/de/convert/mp4-to-mp3",
] as const;

interface Marked {
  readonly row: readonly string[];
  /** Failed audits, if the score is too low. */
  readonly costs: readonly string[];
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { only: { type: "string" }, public: { type: "boolean" } } });
  const port = await freePort();
  const service = await startLocalService({
    env: {
      PORT: String(port),
      ANYFORM_ALLOW_ADDRESSES: "127.0.0.1",
      ANYFORM_PUBLIC_URL: `http://localhost:${port}`,
      ANYFORM_OPERATOR_PAGES: OPERATOR_TEXTS,
    },
  });
  const url = browserUrl(service);
  const measured = await openMeasured();
  try {
    const cookie = values.public ? undefined : await signedIn(url, { service: () => service });
    const marks: Marked[] = [];
    const paths = values.public ? PUBLIC_PAGES : pagePaths();
    for (const path of paths.filter((one) => values.only === undefined || one === values.only)) {
      for (const form of ["phone", "desktop"] as const) {
        const extraHeaders = cookie === undefined || GUESTS.has(path) ? undefined : { cookie };
        const choose = values.public ? median : best;
        marks.push(await choose(() => mark(`${url}${path}`, form, { port: measured.port, extraHeaders })));
      }
    }
    printTable([HEADER, ...marks.map(({ row }) => [...row])]);
    for (const { row, costs } of marks.filter((one) => one.costs.length > 0)) {
      console.log(`\n${row[0]} (${row[1]}):\n  ${costs.join("\n  ")}`);
    }
  } finally {
    await measured.close();
    await service.stop();
    await service.erase();
  }
};

/** @returns the session cookie of an account with content on every page */
const signedIn = async (url: string, scene: Parameters<typeof furnish>[0]): Promise<string> => {
  const browser = await openBrowser();
  try {
    const owner = await openVisitor(browser, url);
    const { receiver } = await furnish(scene, owner);
    receiver.close();
    const cookies = await owner.context.cookies();
    return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  } finally {
    await browser.close();
  }
};

/** A browser for Lighthouse, with its debugging port. */
const openMeasured = async (): Promise<{ readonly port: number; readonly close: () => Promise<void> }> => {
  const folder = temporaryFolder();
  const args = ["--headless=new", "--remote-debugging-port=0", `--user-data-dir=${folder.path}`, ...CHROMIUM_ARGUMENTS];
  const child = spawn(CHROMIUM, [...args, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stderr })) {
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
    if (port !== undefined) {
      child.stderr.resume();
      const close = async (): Promise<void> => {
        child.kill("SIGTERM");
        await exited;
        await folder.remove();
      };
      return { port: Number(port), close };
    }
  }
  throw new Error("Chromium did not start.");
};

/** Other load on the machine only lowers scores, so a page with a low score is measured again. */
const best = async (measure: () => Promise<Marked>): Promise<Marked> => {
  const marks: Marked[] = [];
  do {
    marks.push(await measure());
  } while (marks.length < RUNS_MAX && marks.at(-1)?.costs.length !== 0);
  return marks.reduce((one, other) => (sumOf(other) > sumOf(one) ? other : one));
};

const median = async (measure: () => Promise<Marked>): Promise<Marked> => {
  const marks: Marked[] = [];
  while (marks.length < RUNS_MAX) {
    marks.push(await measure());
  }
  const [, middle] = marks.toSorted((one, other) => Number(one.row[2]) - Number(other.row[2]));
  return middle ?? (await measure());
};

const sumOf = ({ row }: Marked): number => row.slice(2).reduce((sum, points) => sum + Number(points), 0);

const mark = async (
  url: string,
  form: "desktop" | "phone",
  { port, extraHeaders }: { readonly port: number; readonly extraHeaders: Record<string, string> | undefined },
): Promise<Marked> => {
  const flags: Flags = {
    port,
    output: "json",
    logLevel: "error",
    onlyCategories: [...CATEGORIES],
    ...(extraHeaders && { extraHeaders }),
  };
  const outcome = await lighthouse(url, flags, form === "desktop" ? desktopConfig : undefined);
  if (outcome === undefined) {
    throw new Error(`Lighthouse returned no result for ${url}.`);
  }
  const marks = CATEGORIES.map((name) => Math.round((outcome.lhr.categories[name]?.score ?? 0) * 100));
  return {
    row: [new URL(url).pathname, form, ...marks.map(String)],
    costs: marks.some((points) => points < MARK_MIN) ? costsOf(outcome.lhr) : [],
  };
};

/** @returns the failed audits of the categories, with their details */
const costsOf = ({ categories, audits }: Result): readonly string[] =>
  CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ""}`.trim());

await main();
