import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type OpenapiDocument, operationsOf } from "../../../dashboard/pages/reference/document.ts";
import { hasBrowser } from "../../support/browser/browser.ts";
import { fixture, signInToFree } from "../../support/browser/dashboard.ts";
import { stage } from "./stage.ts";

const PATH = "/api/v1/docs";

describe.skipIf(!hasBrowser())("the API reference, in Chromium", () => {
  const at = stage();

  const ownKey = async (): Promise<string> => (await readFile(join(at.service().dataDir, "api-key"), "utf8")).trim();

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

  const send = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByRole("region", { name: "Response", exact: true }).waitFor();
  };

  const shownStatus = (page: Page) => page.locator(".reference-status").innerText();

  test("lists every operation and message, those of sessions in a closed part", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}${PATH}`);
      await page.getByRole("link", { name: "Upload a file" }).waitFor();
      const document = (await (await fetch(`${at.service().url}/api/v1/openapi.json`)).json()) as OpenapiDocument;
      const links = await page
        .locator("#reference-topics a")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
      const expected = operationsOf(document).map(({ id }) => `#${id}`);
      expect(links.filter((link) => expected.includes(link ?? "")).toSorted()).toEqual(expected.toSorted());
      expect(await page.getByRole("link", { name: "Create an API key" }).isVisible()).toBe(false);
    }));

  test("finds topics by word, and opens them by keyboard and by address", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}${PATH}#/Uploads/createUpload`);
      await heading(page, "Upload a file").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("large files");
      await page.keyboard.press("Enter");
      await heading(page, "Large files").waitFor();
      expect(new URL(page.url()).hash).toBe("#large-files");
      expect(await page.title()).toBe("Large files · API reference · Anyform");
      expect(await page.locator(":focus").innerText()).toBe("Large files");
      await page.goBack();
      await heading(page, "Upload a file").waitFor();
      await page.goto(`${url}${PATH}/#nothing`);
      await page.getByText("The reference has no topic “nothing”.").waitFor();
    }));

  test("uploads, converts and downloads a file with a pasted key, each twice, with the IDs of the responses", () =>
    at.visit(async ({ page, url }) => {
      const key = await ownKey();
      await page.goto(`${url}${PATH}#createUpload`);
      await page.getByLabel("API key", { exact: true }).fill(key);
      await page.locator(".reference-try input[type=file]").first().setInputFiles(fixture("alpha.png"));
      for (const name of ["curl", "TypeScript", "Python"]) {
        await page.getByRole("tab", { name }).click();
        const code = await page.getByRole("tabpanel").innerText();
        expect(code).toContain(key);
        expect(code).toContain("alpha.png");
      }
      await send(page);
      expect(await shownStatus(page)).toContain("201");
      await page.locator(".reference-try input[type=file]").first().setInputFiles(fixture("deep.png"));
      await page.getByRole("button", { name: "Send request" }).click();
      const id = await page.getByText(/"filename": "deep.png"/).innerText();
      const uploadId = /upl_\w+/.exec(id)?.[0] ?? "";
      await page.getByRole("link", { name: "Convert uploads" }).first().click();
      await heading(page, "Convert uploads").waitFor();
      expect(await page.getByLabel("Body (JSON)").inputValue()).toContain(uploadId);
      await page.getByText("3 optional fields").click();
      await page.getByLabel("wait", { exact: true }).fill("25");
      for (const _ of [1, 2]) {
        await send(page);
        expect(await shownStatus(page)).toContain("200 OK");
      }
      await page.goto(`${url}${PATH}#downloadResult`);
      await heading(page, "Download a result").waitFor();
      expect(await page.getByLabel("token").inputValue()).toMatch(/^dl_/);
      await send(page);
      await page.getByRole("img", { name: "deep.jpg" }).waitFor();
      await page.locator(".reference-received summary").click();
      expect(await page.getByLabel("Headers", { exact: true }).innerText()).toContain("content-type: image/jpeg");
    }));

  test("converts a file in one call with the session, and shows the code for it", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(`${url}${PATH}#convertFile`);
      await page.getByText("Sends a real request with your session.").waitFor();
      await page.locator(".reference-try input[type=file]").first().setInputFiles(fixture("alpha.png"));
      await page.getByLabel("target_format").fill("webp");
      expect(await page.getByRole("tabpanel").innerText()).toContain("-F 'target_format=webp'");
      await send(page);
      expect(await shownStatus(page)).toContain("200 OK");
      await page.getByRole("img", { name: "alpha.webp" }).waitFor();
    }));

  test("says what is missing, and that a request was rejected", () =>
    at.visit(
      async ({ page, url }) => {
        await page.goto(`${url}${PATH}#getJob`);
        await heading(page, "Retrieve a job").waitFor();
        expect(await page.getByRole("button", { name: "Send request" }).isDisabled()).toBe(true);
        await page.getByLabel("API key", { exact: true }).fill(await ownKey());
        await page.getByRole("button", { name: "Send request" }).click();
        await page.getByText("Required: id").waitFor();
        await page.getByLabel("id", { exact: true }).fill("job_00GxPqjL0a1b2c3d4e5f6g");
        await send(page);
        expect(await shownStatus(page)).toContain("404");
        await page.getByText('"code": "not_found"').waitFor();
      },
      { expected: [/^404 GET \/api\/v1\/convert\//] },
    ));

  test("keeps the pasted key only until the page is reloaded", () =>
    at.visit(async ({ page, url }) => {
      const key = await ownKey();
      await page.goto(`${url}${PATH}#getAccount`);
      await page.getByLabel("API key", { exact: true }).fill(key);
      await page.getByText(key).first().waitFor();
      await page.reload();
      await heading(page, "Retrieve the account").waitFor();
      expect(await page.content()).not.toContain(key);
      expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain(key);
    }));
});
