import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import { codeFor, newAddress } from "../../support/dashboard.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Stage, stage } from "./stage.ts";

const run = promisify(execFile);
const CURL_MS_MAX = 60_000;

describe.skipIf(!hasBrowser())("signing up, in Chromium", () => {
  const at = stage();

  test("who is new signs up, picks a plan, makes a key, converts by the shown commands, and sees the use", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await page.getByRole("link", { name: "Sign in" }).first().click();
      await enter(at, page, newAddress());
      await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
      await page.getByRole("button", { name: "Begin with Free" }).click();
      await page.getByRole("button", { name: "Make my first key" }).click();
      const commands = await page.getByLabel("Commands for a terminal").innerText();
      await inShell(commands, async (folder, said) => {
        const people = JSON.parse(await readFile(join(folder, "people.json"), "utf8")) as { name: string }[];
        expect(people.map(({ name }) => name)).toEqual(["Ada", "Grace"]);
        expect(said).toContain("Grace");
      });
      await page.getByRole("button", { name: "I have saved it" }).click();
      await page.getByRole("navigation").getByRole("link", { name: "Use" }).click();
      await page.getByText("3 of 100 used").waitFor();
      await page.getByText("97 left").waitFor();
      await page.locator("summary", { hasText: "The same as a table" }).click();
      const today = page.getByRole("row").filter({ has: page.getByRole("cell", { name: "1", exact: true }) });
      expect(await today.count()).toBeGreaterThan(0);
      await page.getByRole("navigation").getByRole("link", { name: "Jobs" }).click();
      await page.getByRole("row", { name: /people\.json .* Completed/ }).waitFor();
    }));

  test("the quick start is filled in with the key that was just made, until the page is reloaded", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/sign-in`);
      await enter(at, page, newAddress());
      await page.getByRole("button", { name: "Begin with Free" }).click();
      await page.getByRole("button", { name: "Make my first key" }).click();
      const key = await page.getByLabel("The key", { exact: true }).inputValue();
      expect(key).toMatch(/^af_live_[0-9A-Za-z]{43,}$/);
      await page.getByRole("link", { name: /More examples/ }).click();
      for (const name of ["curl", "TypeScript", "fetch", "Python", "Python, no packages"]) {
        await page.getByRole("tab", { name, exact: true }).click();
        expect(await page.getByLabel(`Example: ${name}`, { exact: true }).innerText()).toContain(key);
      }
      await page.reload();
      await page.getByText(`begins with ${key.slice(0, 14)}`).waitFor();
      expect(await page.content()).not.toContain(key);
      await page.getByLabel("API key", { exact: true }).fill("af_live_nonsense");
      await page.getByText("That is not a whole key.").waitFor();
      await page.getByLabel("API key", { exact: true }).fill(key);
      await page.getByText("The examples have your key.").waitFor();
      expect(await page.getByLabel("Example: curl").innerText()).toContain(key);
      const kept = await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage])");
      expect(kept).not.toContain(key);
    }));

  test("a wrong code is refused in words, and the right one still works", () =>
    at.visit(
      async ({ page, url }) => {
        const email = newAddress();
        await page.goto(`${url}/sign-in`);
        await page.getByLabel("E-mail address").fill(email);
        await page.getByRole("button", { name: "Send me a code" }).click();
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

  test("who is signed out elsewhere is asked to sign in again, and comes back to where they were", () =>
    at.visit(
      async ({ page, url, context }) => {
        const email = newAddress();
        await page.goto(`${url}/sign-in`);
        await enter(at, page, email);
        await page.getByRole("button", { name: "Begin with Free" }).click();
        await page.getByRole("button", { name: "Make my first key" }).waitFor();
        await context.clearCookies();
        await page.getByRole("navigation").getByRole("link", { name: "Use" }).click();
        await page.getByText("You were signed out").waitFor();
        await enter(at, page, email, 2);
        await page.getByRole("heading", { level: 1, name: "Use" }).waitFor();
      },
      { expected: [/^401 GET \/api\/v1\//] },
    ));

  test("German is spoken to who reads German, and stays chosen", () =>
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

/** Signs in on the page that asks for the address. */
const enter = async (at: Stage, page: Page, email: string, sent = 1): Promise<void> => {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Six-digit code").fill(await codeFor(at, email, sent));
};

/** Runs what the page shows as somebody does who pastes it into a terminal. */
const inShell = async (commands: string, look: (folder: string, said: string) => Promise<void>): Promise<void> => {
  const folder = temporaryFolder();
  try {
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", commands], {
      cwd: folder.path,
      timeout: CURL_MS_MAX,
    });
    await look(folder.path, stdout);
  } finally {
    await folder.remove();
  }
};
