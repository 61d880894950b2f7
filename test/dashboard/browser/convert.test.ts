import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { FileChooser, Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { hasBrowser, type Visitor } from "../../support/browser/browser.ts";
import { codeFor, fixture, newAddress, send, signInToFree } from "../../support/browser/dashboard.ts";
import { accountsCommand } from "../../support/services/local-service.ts";
import { addFiles, choose, download, dropFiles, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("converting in the browser", () => {
  const at = stage();

  test("three dropped files are converted to their targets, and the results are valid", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await dropFiles(page, [fixture("sample.heic"), fixture("sample.docx"), fixture("sample.csv")]);
      await choose(page, "sample.heic", "jpg");
      await choose(page, "sample.docx", "pdf");
      await choose(page, "sample.csv", "json");
      await press(page, "Convert 3 files");
      const jpeg = await sharp(await download(page, "sample.jpg")).metadata();
      expect(jpeg.format).toBe("jpeg");
      const pdf = await PDFDocument.load(await readFile(await download(page, "sample.pdf")));
      expect(pdf.getPageCount()).toBeGreaterThan(0);
      const rows = JSON.parse(await readFile(await download(page, "sample.json"), "utf8")) as unknown[];
      expect(rows.length).toBeGreaterThan(0);
      await page.getByText("3 of 3 converted").first().waitFor();
    }));

  test("files that are removed before the upload do not count", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await addFiles(page, [fixture("sample.csv")]);
      await choose(page, "sample.csv", "json");
      await press(page, "Remove sample.csv");
      await page.getByRole("heading", { name: "1 file" }).waitFor({ state: "detached" });
      const { body } = await send<{ readonly used: number }>(visitor, "account/use", undefined, "GET");
      expect(body.used).toBe(0);
    }));

  test("a damaged file fails with a message, and the others are converted", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      const broken = (await readFile(fixture("sample.png"))).subarray(0, 200);
      await addFiles(page, [fixture("sample.csv"), { name: "broken.png", mimeType: "image/png", buffer: broken }]);
      await choose(page, "sample.csv", "json");
      await choose(page, "broken.png", "jpg");
      await press(page, "Convert 2 files");
      const row = page.getByRole("listitem").filter({ hasText: "broken.png" });
      await row.getByText("Failed", { exact: true }).waitFor();
      expect(await row.innerText()).toMatch(/damaged|cannot be read|corrupt|complete/i);
      await page.getByRole("button", { name: "Download sample.json" }).waitFor();
    }));

  test("only options that are set in the form are sent", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await addFiles(page, [fixture("sample.png")]);
      await choose(page, "sample.png", "jpg");
      await press(page, "Options for sample.png");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("spinbutton", { name: "Quality" }).fill("40");
      await dialog
        .getByRole("button", { name: /Save|Apply|Use|Done/ })
        .last()
        .click();
      await press(page, "Convert 1 file");
      const jpeg = await sharp(await download(page, "sample.jpg")).metadata();
      expect(jpeg.format).toBe("jpeg");
      const { body } = await send<{ readonly jobs: readonly { readonly options: unknown }[] }>(
        visitor,
        "convert",
        undefined,
        "GET",
      );
      expect(body.jobs[0]?.options).toEqual({ quality: 40 });
    }));

  test("scripts of a page can be turned on and off, and a header can have several lines", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      const buffer = Buffer.from("<!doctype html><title>T</title><p>One</p>");
      await addFiles(page, [{ name: "page.html", mimeType: "text/html", buffer }]);
      await choose(page, "page.html", "pdf");
      await press(page, "Options for page.html");
      const dialog = page.getByRole("dialog");
      const find = (query: string) => dialog.getByRole("searchbox").fill(query);
      await find("scripts");
      await dialog.getByLabel("Run scripts").selectOption("No");
      await find("header");
      await dialog.getByLabel("Header (HTML)").fill("<p>One</p>\n<p>Two</p>");
      await press(page, "Apply");
      await page.getByText("2 options", { exact: true }).waitFor();
      await press(page, "Show the code for page.html");
      const code = await page.getByRole("dialog").getByRole("tabpanel").innerText();
      expect(code).toContain("javascript");
      expect(code).toContain("false");
      await page.keyboard.press("Escape");
      await press(page, "Options for page.html");
      await find("scripts");
      expect(await dialog.getByLabel("Run scripts").inputValue()).toBe("false");
      await find("header");
      expect(await dialog.getByLabel("Header (HTML)").inputValue()).toBe("<p>One</p>\n<p>Two</p>");
    }));

  test("a used-up quota stops the list with a message and links to the plans", () =>
    at.visit(
      async (visitor) => {
        const { page, url } = visitor;
        await signInToFree(at, visitor);
        const { body } = await send<{ readonly account: { readonly id: string } }>(
          visitor,
          "session",
          undefined,
          "GET",
        );
        const of = ["set-plan", "--account", body.account.id, "--plan", "enterprise", "--quota", "1"];
        await accountsCommand(of, { DATA_DIR: at.service().dataDir });
        await page.goto(url);
        await addFiles(page, [fixture("sample.csv")]);
        await choose(page, "sample.csv", "json");
        await press(page, "Convert 1 file");
        await page.getByRole("link", { name: /plans/i }).last().waitFor();
        await page.goto(`${url}/usage`);
        await page.getByText("1 of 1 used").waitFor();
      },
      { expected: [/^429 POST \/api\/v1\/convert$/] },
    ));

  test("files that were added before signing in are still there afterward", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      const email = await returning(visitor);
      await page.goto(url);
      await addFiles(page, [fixture("sample.csv")]);
      await choose(page, "sample.csv", "json");
      await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button", { name: "Send code" }).click();
      await page.getByLabel("Six-digit code").fill(await codeFor(at, email, 2));
      await page.getByText("Your file is still here").waitFor();
      await press(page, "Convert 1 file");
      await download(page, "sample.json");
    }));

  /** @returns the email address of a user who has an account and is signed out */
  const returning = async (visitor: Visitor): Promise<string> => {
    const email = await signInToFree(at, visitor, newAddress());
    await visitor.context.clearCookies();
    return email;
  };

  test("everything works by keyboard, from signing up to the result", () =>
    at.visit(async ({ page, url }) => {
      // Catch the native dialog from the start: after a key press it would be too late to wait for it.
      const choosing = new Promise<FileChooser>((resolve) => page.once("filechooser", resolve));
      const email = newAddress();
      await page.goto(`${url}/sign-in`);
      await page.getByLabel("Email address").waitFor();
      await page.keyboard.type(email);
      await page.keyboard.press("Enter");
      await page.getByLabel("Six-digit code").waitFor();
      await page.keyboard.type(await codeFor(at, email));
      await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
      await tabTo(page, "Start for free");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Create API key" }).waitFor();
      await tabTo(page, "Or convert a file in the browser");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Convert files" }).waitFor();
      await tabTo(page, "Choose files");
      await page.keyboard.press("Enter");
      await (await choosing).setFiles(fixture("sample.csv"));
      const format = page.getByRole("button", { name: /^Convert sample\.csv to / });
      await tabTo(page, (await format.getAttribute("aria-label")) ?? "");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("searchbox").waitFor();
      await page.keyboard.type("json");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Convert 1 file" }).waitFor();
      await tabTo(page, "Convert 1 file");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Download sample.json" }).waitFor();
      await tabTo(page, "Download sample.json");
      const saving = page.waitForEvent("download");
      await page.keyboard.press("Enter");
      expect(basename((await saving).suggestedFilename())).toBe("sample.json");
    }));
});

const TABS_MAX = 80;

/** The name of the focused link or button; empty for other elements. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  return element.matches("a, button") ? element.ariaLabel ?? element.innerText : "";
})()`;

/** Presses Tab until the element with the name is focused. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    if ((await page.evaluate<string>(FOCUSED)).includes(name)) {
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached by pressing Tab ${TABS_MAX} times.`);
};
