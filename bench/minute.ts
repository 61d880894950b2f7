import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { openBrowser, openVisitor, type Visitor } from "../test/support/browser/browser.ts";
import { browserUrl, codeFor, newAddress, type Scene } from "../test/support/browser/dashboard.ts";
import { startLocalService } from "../test/support/services/local-service.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { printTable, timed } from "./support/figures.ts";

/**
 * `node bench minute`: seconds that a stranger needs, without the time to read and type: to a converted file without an
 * account, and to an API key with which the displayed command has converted a file.
 */

/** Repetitions of each; a new browser context each time, so nothing is cached. */
const ROUNDS = 3;
const CURL_MS_MAX = 60_000;

const run = promisify(execFile);

const main = async (): Promise<void> => {
  const [service, browser] = await Promise.all([startLocalService({ env: {} }), openBrowser()]);
  const scene = { service: () => service };
  const url = browserUrl(service);
  try {
    const rows = [["from a stranger", ...Array.from({ length: ROUNDS }, (_, round) => `round ${round + 1}`), "target"]];
    rows.push(["to a converted file", ...(await rounds(browser, url, convertExample)), "10 s"]);
    rows.push(["to a key and a curl", ...(await rounds(browser, url, (visitor) => signUp(scene, visitor))), "60 s"]);
    printTable(rows);
  } finally {
    await browser.close();
    await service.stop();
    await service.erase();
  }
};

/** @returns the seconds of each round */
const rounds = async (browser: Browser, url: string, work: (visitor: Visitor) => Promise<void>): Promise<string[]> => {
  const seconds: string[] = [];
  while (seconds.length < ROUNDS) {
    const visitor = await openVisitor(browser, url);
    const milliseconds = await timed(() => work(visitor));
    seconds.push(`${(milliseconds / 1_000).toFixed(1)} s`);
    await visitor.context.close();
  }
  return seconds;
};

const convertExample = async ({ page, url }: Visitor): Promise<void> => {
  await page.goto(url);
  await page.getByRole("button", { name: "A photo (HEIC)", exact: true }).click();
  await page.getByRole("button", { name: "Convert 1 file", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download photo.jpg", exact: true }).click();
  await (await download).path();
};

const signUp = async (scene: Scene, { page, url }: Visitor): Promise<void> => {
  const email = newAddress();
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("Six-digit code").fill(await codeFor(scene, email));
  await page.getByRole("button", { name: "Start for free" }).click();
  await page.getByRole("button", { name: "Create API key" }).click();
  const commands = await page.getByLabel("Terminal commands").innerText();
  const folder = temporaryFolder();
  try {
    await run("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder.path, timeout: CURL_MS_MAX });
    if (!(await readdir(folder.path)).includes("people.json")) {
      throw new Error("The displayed commands did not save a result.");
    }
  } finally {
    await folder.remove();
  }
};

await main();
