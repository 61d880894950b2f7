import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { fixture } from "../../support/browser/dashboard.ts";
import { addFiles, download, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("people without an account", () => {
  const at = stage();

  test("convert an example with two clicks on the front page", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await page.getByRole("heading", { name: "Convert any file", level: 1 }).waitFor();
      await expect.poll(() => page.title()).toBe("Convert any file · Anyform");
      await press(page, "A photo (HEIC)");
      await page.getByRole("button", { name: "Convert photo.heic to JPEG. Change format" }).waitFor();
      await press(page, "Convert 1 file");
      await download(page, "photo.jpg");
    }));

  test("find a page for a conversion, which selects its target and explains it", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await page.getByRole("link", { name: "MP4 to GIF" }).click();
      await page.waitForURL(`${url}/convert/mp4-to-gif`);
      await page.getByRole("heading", { name: "Convert MP4 to GIF", level: 1 }).waitFor();
      expect(await page.title()).toBe("Convert MP4 to GIF · Anyform");
      await addFiles(page, [fixture("sample.mp4")]);
      await page.getByRole("button", { name: "Convert sample.mp4 to GIF. Change format" }).waitFor();
      const code = page.locator("#pair pre").first();
      expect(await code.textContent()).toContain(`curl -sSfL ${url}/api/v1/convert`);
      await page.getByRole("link", { name: "Plans" }).first().click();
      await page.getByRole("heading", { name: "Plans", level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { name: "Options", level: 2 }).waitFor();
      expect(await page.title()).toBe("Convert MP4 to GIF · Anyform");
    }));

  test("read a conversion's page in the language of its address, and switch between addresses", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/de/convert/docx-to-pdf`);
      await page.getByRole("heading", { name: "DOCX in PDF umwandeln", level: 1 }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("de");
      await page.getByRole("combobox", { name: "Sprache" }).selectOption("en");
      await page.waitForURL(`${url}/convert/docx-to-pdf`);
      await page.getByRole("heading", { name: "Convert DOCX to PDF", level: 1 }).waitFor();
    }));

  test("see in the window's title which format a page is about", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/formats?from=heic`);
      await expect.poll(() => page.title()).toBe("Convert HEIC to… · Anyform");
      await page.getByRole("link", { name: "All formats" }).first().click();
      await expect.poll(() => page.title()).toBe("Formats · Anyform");
      await page.getByRole("link", { name: "Plans" }).first().click();
      await expect.poll(() => page.title()).toBe("Plans · Anyform");
    }));

  test("get the status 404 and a way back for a page that does not exist", () =>
    at.visit(
      async ({ page, url }) => {
        const answer = await page.goto(`${url}/convert/pdf-to-gold`);
        expect(answer?.status()).toBe(404);
        await page.getByRole("heading", { name: "Page not found", level: 1 }).waitFor();
        await page.getByRole("link", { name: "Go to home page" }).click();
        await page.getByRole("heading", { name: "Convert any file", level: 1 }).waitFor();
      },
      { expected: [/^404 GET \/convert\/pdf-to-gold$/] },
    ));
});

describe.skipIf(!hasBrowser())("the owner of the machine", () => {
  const at = stage();

  const printedLink = () => /http\S+\/sign-in#\S+/.exec(at.service().output())?.[0] ?? "";

  test("signs in once with the link that the service prints", async () => {
    const link = await expect.poll(printedLink).toContain("#").then(printedLink);
    await at.visit(async ({ page }) => {
      await page.goto(link);
      await page.getByRole("button", { name: "Account menu" }).click();
      await page.getByRole("link", { name: "Account", exact: true }).click();
      await page.getByRole("main").getByText("owner@localhost").first().waitFor();
      expect(page.url()).not.toContain("code=");
    });
    await at.visit(
      async ({ page }) => {
        await page.goto(link);
        await page.getByText("This link has expired or was already used.").waitFor();
        await page.getByRole("textbox", { name: "Email address" }).waitFor();
      },
      { expected: [/^422 POST \/api\/v1\/session$/] },
    );
  });
});
