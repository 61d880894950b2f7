import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { codeFor, newAddress } from "../../support/browser/dashboard.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Stage, stage } from "./stage.ts";

const run = promisify(execFile);
const CURL_MS_MAX = 60_000;

describe.skipIf(!hasBrowser())("signing up, in Chromium", () => {
  const at = stage();

  test("a new user signs up, chooses a plan, creates a key, runs the displayed commands, and sees the usage", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await page.getByRole("link", { name: "Sign in" }).first().click();
      await enter(at, page, newAddress());
      await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
      await page.getByRole("button", { name: "Start for free" }).click();
      await page.getByRole("button", { name: "Create API key" }).click();
      const commands = await page.getByLabel("Terminal commands").innerText();
      await inShell(commands, async (folder, output) => {
        const people = JSON.parse(await readFile(join(folder, "people.json"), "utf8")) as { name: string }[];
        expect(people.map(({ name }) => name)).toEqual(["Ada", "Grace"]);
        expect(output).toContain("Grace");
      });
      await page.getByRole("button", { name: "I saved the key" }).click();
      await page.getByRole("navigation").getByRole("link", { name: "Usage" }).click();
      await page.getByText("1 of 100 used").waitFor();
      await page.getByText("99 left").waitFor();
      await page.locator("summary", { hasText: "View as table" }).click();
      const today = page.getByRole("row").filter({ has: page.getByRole("cell", { name: "1", exact: true }) });
      expect(await today.count()).toBeGreaterThan(0);
      await page.getByRole("navigation").getByRole("link", { name: "Jobs" }).click();
      await page.getByRole("row", { name: /people\.json .* Completed/ }).waitFor();
    }));

  test("the quick start contains the new key until the page is reloaded", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/sign-in`);
      await enter(at, page, newAddress());
      await page.getByRole("button", { name: "Start for free" }).click();
      await page.getByRole("button", { name: "Create API key" }).click();
      const key = await page.getByLabel("New API key", { exact: true }).inputValue();
      expect(key).toMatch(/^af_live_[0-9A-Za-z]{43,}$/);
      await page.getByRole("link", { name: /More examples/ }).click();
      for (const name of ["curl", "TypeScript", "fetch", "Python", "Python, no packages"]) {
        await page.getByRole("tab", { name, exact: true }).click();
        expect(await page.getByLabel(`Example: ${name}`, { exact: true }).innerText()).toContain(key);
      }
      await page.reload();
      await page.getByText(`starts with ${key.slice(0, 14)}`).waitFor();
      expect(await page.content()).not.toContain(key);
      await page.getByLabel("API key", { exact: true }).fill("af_live_nonsense");
      await page.getByText("This is not a complete key.").waitFor();
      await page.getByLabel("API key", { exact: true }).fill(key);
      await page.getByText("The examples use your key.").waitFor();
      expect(await page.getByLabel("Example: curl").innerText()).toContain(key);
      const stored = await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage])");
      expect(stored).not.toContain(key);
    }));

  test("a wrong code shows an error, and the right one still works", () =>
    at.visit(
      async ({ page, url }) => {
        const email = newAddress();
        await page.goto(`${url}/sign-in`);
        await page.getByLabel("Email address").fill(email);
        await page.getByRole("button", { name: "Send code" }).click();
        const field = page.getByLabel("Six-digit code");
        await field.waitFor();
        const code = await codeFor(at, email);
        await field.fill(code === "000000" ? "000001" : "000000");
        await page.getByRole("alert").waitFor();
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        await field.fill(code);
        await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
      },
      { expected: [/^422 POST \/api\/v1\/session$/] },
    ));

  test("a user whose session has ended signs in again and returns to the same page", () =>
    at.visit(
      async ({ page, url, context }) => {
        const email = newAddress();
        await page.goto(`${url}/sign-in`);
        await enter(at, page, email);
        await page.getByRole("button", { name: "Start for free" }).click();
        await page.getByRole("button", { name: "Create API key" }).waitFor();
        await context.clearCookies();
        await page.getByRole("navigation").getByRole("link", { name: "Usage" }).click();
        await page.getByText("Your session has ended.").waitFor();
        await enter(at, page, email, 2);
        await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
      },
      { expected: [/^401 GET \/api\/v1\//] },
    ));

  test("the language follows the browser, and a selected language is kept", () =>
    at.visit(
      async ({ page, url }) => {
        await page.goto(`${url}/sign-in`);
        await page.getByRole("heading", { level: 1, name: "Anmelden" }).waitFor();
        expect(await page.locator("html").getAttribute("lang")).toBe("de");
        await page.goto(`${url}/docs`);
        await page.getByRole("heading", { level: 1, name: "Erste Schritte" }).waitFor();
        await page.getByRole("combobox", { name: "Sprache" }).selectOption("en");
        await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
        await page.reload();
        await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
      },
      { locale: "de-AT" },
    ));
});

/** Signs in on the sign-in page. */
const enter = async (at: Stage, page: Page, email: string, sent = 1): Promise<void> => {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("Six-digit code").fill(await codeFor(at, email, sent));
};

/** Runs the displayed commands as if they were pasted into a terminal. */
const inShell = async (commands: string, check: (folder: string, output: string) => Promise<void>): Promise<void> => {
  const folder = temporaryFolder();
  try {
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", commands], {
      cwd: folder.path,
      timeout: CURL_MS_MAX,
    });
    await check(folder.path, stdout);
  } finally {
    await folder.remove();
  }
};
