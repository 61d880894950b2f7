import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addressOf } from "../../support/address.ts";
import { hasBrowser } from "../../support/browser/browser.ts";
import { fixture, send, signInToFree } from "../../support/browser/dashboard.ts";
import { addFiles, choose, download, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

/** The password of the encrypted test files. */
const PASSWORD = "Ströme 7";

const openOptions = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: `Options for ${name}` }).click();
  await page.getByRole("dialog").waitFor();
};

const typed = async (name: string, mimeType: string) => ({
  name,
  mimeType,
  buffer: await readFile(fixture(name)),
});

describe.skipIf(!hasBrowser())("converting without reading a manual, in Chromium", () => {
  const at = stage({ ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });

  test("the usual formats are listed first, and all others on request", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await addFiles(page, [fixture("sample.png")]);
      await page.getByRole("button", { name: /^Convert sample.png to JPEG/ }).click();
      const choices = page.getByRole("dialog").getByRole("listitem");
      await expect.poll(() => choices.count()).toBe(5);
      await page.getByRole("button", { name: /^Show all \d+ formats$/ }).click();
      await expect.poll(() => choices.count()).toBeGreaterThan(10);
    }));

  test("a photo has a thumbnail where the browser can display it, otherwise an icon", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      // Chromium displays what the bytes are, whatever the type; it does not display HEIC.
      const displayed = { name: "shown.heic", mimeType: "image/heic", buffer: await readFile(fixture("sample.png")) };
      await page
        .locator("input[type=file]")
        .first()
        .setInputFiles([displayed, await typed("sample.heic", "image/heic")]);
      const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
      await row("shown.heic").locator(".convert-thumb img").waitFor();
      const width = () => page.evaluate<number>("document.querySelector('.convert-thumb img')?.naturalWidth ?? 0");
      await expect.poll(width).toBeGreaterThan(0);
      await row("sample.heic").locator(".convert-thumb svg").waitFor();
    }));

  test("options show their defaults, are remembered for the pair, and can be reset", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await addFiles(page, [fixture("sample.png")]);
      await openOptions(page, "sample.png");
      const quality = page.getByRole("spinbutton", { name: "Quality" });
      expect(await quality.getAttribute("placeholder")).toBe("80 (default)");
      await page.getByRole("slider", { name: "Quality" }).press("ArrowRight");
      expect(await quality.inputValue()).toBe("81");
      await page.getByRole("searchbox", { name: "Find an option" }).fill("background");
      await page.getByLabel("Background color", { exact: true }).last().fill("#ff0000");
      await press(page, "Apply");
      await page.reload();
      await addFiles(page, [fixture("sample.png")]);
      await page.getByText("2 options", { exact: true }).waitFor();
      await openOptions(page, "sample.png");
      await page.getByText("Filled in with the options that you last used").waitFor();
      expect(await quality.inputValue()).toBe("81");
      await press(page, "Reset to defaults");
      await press(page, "Apply");
      await page.reload();
      await addFiles(page, [fixture("sample.png")]);
      await openOptions(page, "sample.png");
      expect(await quality.inputValue()).toBe("");
    }));

  test("a file with a password is unlocked in its row, after a wrong one too", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await addFiles(page, [fixture("encrypted.docx")]);
      await choose(page, "encrypted.docx", "pdf");
      await press(page, "Convert 1 file");
      const field = page.getByLabel("Password of encrypted.docx");
      for (const password of ["wrong", PASSWORD]) {
        await field.fill(password);
        await press(page, "Unlock and convert");
        await (password === PASSWORD
          ? page.getByText("1 of 1 converted").first()
          : page.getByText("Wrong password. Try again.")
        ).waitFor();
      }
      expect(await download(page, "encrypted.pdf")).not.toBe("");
    }));

  test("the code of a conversion has its options, and never its password", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await addFiles(page, [fixture("sample.pdf")]);
      await choose(page, "sample.pdf", "png");
      await openOptions(page, "sample.pdf");
      await page.getByLabel("File password").fill("hidden");
      await page.getByLabel("Pages", { exact: true }).fill("1");
      await press(page, "Apply");
      await press(page, "Show the code for sample.pdf");
      const dialog = page.getByRole("dialog");
      const code: string[] = [];
      for (const name of ["curl", "TypeScript", "Python", "anyform"]) {
        await dialog.getByRole("tab", { name }).click();
        code.push(await dialog.getByRole("tabpanel").innerText());
      }
      expect(code.every((text) => text.includes("sample.pdf") && text.includes("pages"))).toBe(true);
      expect(code.join()).not.toContain("hidden");
    }));

  test("files are put in order by keyboard and by dragging before they are merged", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      const merge = page.getByRole("button", { name: "Merge into one file…", exact: true });
      const release: (() => void)[] = [];
      // The format of the second file is known last.
      await page.route(/\/formats\?source=jpg$/, async (route) => {
        await new Promise<void>((resolve) => release.push(resolve));
        await route.continue();
      });
      const lists = page.waitForResponse(/\/formats\?source=png&conversions=true$/);
      await addFiles(page, [fixture("sample.png"), fixture("sample.jpg"), fixture("grey.png")]);
      await (await lists).finished();
      await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
      expect(await merge.count()).toBe(0);
      release[0]?.();
      await merge.click();
      await page.getByRole("dialog").getByRole("searchbox").fill("pdf");
      await page.keyboard.press("Enter");
      // An option of the merge that the conversion of a single image does not have.
      await page
        .getByRole("dialog")
        .locator("label", { hasText: "New password to open" })
        .waitFor({ state: "attached" });
      const order = page.getByRole("group", { name: "Order of the files" }).getByRole("listitem");
      const names = async (): Promise<string> => (await order.allInnerTexts()).join().replaceAll(/\s/g, "");
      await page.getByRole("button", { name: "Move grey.png", exact: true }).press("ArrowUp");
      expect(await names()).toBe("sample.png,grey.png,sample.jpg");
      await page.getByRole("button", { name: "Move sample.png down" }).click();
      expect(await names()).toBe("grey.png,sample.png,sample.jpg");
      const [from, to] = await Promise.all(
        ["sample.jpg", "grey.png"].map((name) =>
          page.getByRole("button", { name: `Move ${name}`, exact: true }).boundingBox(),
        ),
      );
      await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10);
      await page.mouse.down();
      await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 10, { steps: 8 });
      await page.mouse.up();
      expect(await names()).toBe("sample.jpg,grey.png,sample.png");
    }));

  test("sound, text and the first page of a PDF are previewed before the conversion", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await addFiles(page, [
        await typed("sample.mp3", "audio/mpeg"),
        await typed("sample.csv", "text/csv"),
        await typed("sample.pdf", "application/pdf"),
      ]);
      await press(page, "Preview of sample.mp3");
      await page.locator("dialog audio").waitFor();
      await page.keyboard.press("Escape");
      await press(page, "Preview of sample.csv");
      await page.locator("dialog pre").filter({ hasText: /\w/ }).waitFor();
      await page.keyboard.press("Escape");
      await press(page, "Preview of sample.pdf");
      await page.locator("dialog img").waitFor();
      const { body } = await send<{ readonly used: number }>(visitor, "account/use", undefined, "GET");
      expect(body.used).toBe(1);
    }));

  test("files are previewed and converted on a phone by touch", () =>
    at.visit(
      async (visitor) => {
        const { page, url } = visitor;
        await signInToFree(at, visitor);
        await page.goto(url);
        await addFiles(page, [await typed("sample.pdf", "application/pdf"), await typed("sample.png", "image/png")]);
        for (const name of ["sample.pdf", "sample.png"]) {
          await page.getByRole("button", { name: `Preview of ${name}`, exact: true }).tap();
          const image = page.locator("dialog img");
          await image.waitFor();
          expect((await image.boundingBox())?.width).toBeLessThanOrEqual(375);
          await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
        }
        await page.getByRole("button", { name: "Convert 2 files", exact: true }).tap();
        await page
          .getByRole("button", { name: /^Download sample\./ })
          .first()
          .waitFor();
      },
      { width: 375, touch: true },
    ));

  test("a web page becomes a row with the formats that the service makes of it", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await page.getByLabel("Or add a file by URL").fill("https://example.com/report");
      await press(page, "Add as web page");
      await page.getByText("example-com.url").waitFor();
      await page.getByRole("button", { name: "Choose a format for example-com.url" }).click();
      await page.getByRole("dialog").getByText("PDF", { exact: true }).waitFor();
    }));

  test("the status page shows the engine of a conversion with its success", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await addFiles(page, [fixture("sample.png")]);
      await press(page, "Convert 1 file");
      await page.getByText("1 of 1 converted").first().waitFor();
      await page.goto(`${url}/status`);
      await page.getByRole("img", { name: /^sharp: 100% success on 1 day with conversions\.$/ }).waitFor();
    }));

  test("options are saved as a preset, fill another conversion, and are edited and deleted on a page", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(url);
      await addFiles(page, [fixture("sample.png")]);
      await openOptions(page, "sample.png");
      const quality = page.getByRole("spinbutton", { name: "Quality" });
      await quality.fill("42");
      await press(page, "Save as preset");
      await page.getByLabel("Name of the preset").fill("small");
      await press(page, "Save preset");
      await page.getByText("small was saved.").first().waitFor();
      await quality.fill("43");
      await press(page, "Apply");
      await page.goto(`${url}/presets`);
      await page.getByRole("row", { name: /^small .*quality: 42/ }).waitFor();
      await press(page, "Edit small");
      await page.getByLabel("Options (optional)").fill('{"quality": ');
      await press(page, "Save preset");
      await page.getByText("Enter valid JSON.").waitFor();
      await page.getByLabel("Options (optional)").fill('{"quality": 44}');
      await press(page, "Save preset");
      await page.getByRole("row", { name: /^small .*quality: 44/ }).waitFor();
      await page.goto(url);
      await addFiles(page, [fixture("sample.png")]);
      await openOptions(page, "sample.png");
      expect(await quality.inputValue()).toBe("43");
      await page.getByLabel("Preset", { exact: true }).selectOption("small");
      expect(await quality.inputValue()).toBe("44");
      await page.keyboard.press("Escape");
      await page.goto(`${url}/presets`);
      await press(page, "Delete small");
      await press(page, "Delete preset");
      await page.getByText("No presets yet.").waitFor();
    }));

  test("a storage is added, tested, replaced and deleted, and its secret is never shown again", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      const stored = createServer((request, response) => {
        request.resume();
        const [, given = ""] = (request.headers.authorization ?? "").split(" ");
        const isAllowed = Buffer.from(given, "base64").toString() === "ada:correct horse";
        response.writeHead(isAllowed ? 201 : 401).end();
      });
      const origin = await addressOf(stored);
      try {
        await signInToFree(at, visitor);
        await page.goto(`${url}/storages`);
        await page.getByText("No storages yet.").waitFor();
        await press(page, "Add storage");
        await press(page, "Save and test");
        expect(await page.getByText("Enter a value.").count()).toBe(4);
        await page.getByLabel("Type").selectOption("webdav");
        await page.getByLabel("Name").fill("cloud");
        await page.getByLabel("Folder URL").fill(`${origin}/files/`);
        await page.getByLabel("User").fill("ada");
        await page.getByLabel("Password").fill("wrong");
        await press(page, "Save and test");
        await page.getByText("cloud cannot be used: The server returned status 401.").waitFor();
        await press(page, "Replace cloud");
        expect(await page.getByLabel("Password").inputValue()).toBe("");
        await page.getByLabel("User").fill("ada");
        await page.getByLabel("Password").fill("correct horse");
        await press(page, "Save and test");
        await page.getByText("cloud: a test file was written and deleted.").waitFor();
        await page.reload();
        await page.getByRole("row", { name: /^cloud WebDAV/ }).waitFor();
        expect(await page.content()).not.toContain("correct horse");
        await press(page, "Delete cloud");
        await press(page, "Delete storage");
        await page.getByText("No storages yet.").waitFor();
      } finally {
        stored.closeAllConnections();
        stored.close();
      }
    }));
});
