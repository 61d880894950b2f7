import { execFile, spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { fixture, signInToFree } from "../../support/browser/dashboard.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { addFiles, choose, download, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

const run = promisify(execFile);

describe.skipIf(!hasBrowser())("files that are not added through the dialog, in Chromium", () => {
  const at = stage();

  test.runIf(spawnSync("ffmpeg", ["-version"]).status === 0)(
    "a dropped folder adds all its files recursively, and a video in it is converted to audio",
    () =>
      at.visit(async (visitor) => {
        const { page, url } = visitor;
        await signInToFree(at, visitor);
        await page.goto(url);
        const folder = temporaryFolder();
        const trip = join(folder.path, "trip");
        await mkdir(join(trip, "evening", "late"), { recursive: true });
        await copyFile(fixture("sample.csv"), join(trip, "costs.csv"));
        await copyFile(fixture("sample.mp4"), join(trip, "evening", "boat.mp4"));
        await copyFile(fixture("sample.png"), join(trip, "evening", "late", "moon.png"));
        await dropPaths(page, [trip, fixture("sample.vcf")]);
        await page.getByRole("heading", { name: "4 files" }).waitFor();
        await choose(page, "costs.csv", "json");
        await choose(page, "boat.mp4", "mp3");
        await choose(page, "moon.png", "jpg");
        await choose(page, "sample.vcf", "csv");
        await press(page, "Convert 4 files");
        const sound = await download(page, "boat.mp3");
        const probe = ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", sound];
        expect((await run("ffprobe", probe)).stdout.trim()).toBe("mp3");
        expect((await sharp(await download(page, "moon.jpg")).metadata()).format).toBe("jpeg");
        expect(JSON.parse(await readFile(await download(page, "costs.json"), "utf8"))).not.toEqual([]);
        await page.getByText("4 of 4 converted").first().waitFor();
        await folder.remove();
      }),
    120_000,
  );

  test("a pasted image is added as a file, and text pasted into a field stays there", () =>
    at.visit(async (visitor) => {
      const { page, url, context } = visitor;
      await signInToFree(at, visitor);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(url);
      await page.getByRole("button", { name: /^Choose files/ }).waitFor();
      await copyPicture(page, await readFile(fixture("sample.png")));
      await page.keyboard.press("Control+V");
      await page.getByRole("heading", { name: "1 file" }).waitFor();
      await page.evaluate(`navigator.clipboard.writeText("https://example.com/a.png")`);
      await page.getByRole("textbox").first().focus();
      await page.keyboard.press("Control+V");
      expect(await page.getByRole("textbox").first().inputValue()).toBe("https://example.com/a.png");
      await page.getByRole("heading", { name: "1 file" }).waitFor();
      const removal = await page.getByRole("button", { name: /^Remove .*\.png$/ }).getAttribute("aria-label");
      const name = removal?.replace("Remove ", "") ?? "";
      await choose(page, name, "jpg");
      await press(page, "Convert 1 file");
      const jpeg = await sharp(await download(page, name.replace(/png$/, "jpg"))).metadata();
      const png = await sharp(fixture("sample.png")).metadata();
      expect([jpeg.format, jpeg.width, jpeg.height]).toEqual(["jpeg", png.width, png.height]);
    }));

  test("errors are shown in the user's language on every page, with the service's message", () =>
    at.visit(
      async (visitor) => {
        const { page, url } = visitor;
        await signInToFree(at, visitor);
        await page.goto(url);
        await page.getByRole("heading", { level: 1 }).waitFor();
        const broken = (await readFile(fixture("sample.png"))).subarray(0, 200);
        await addFiles(page, [{ name: "kaputt.png", mimeType: "image/png", buffer: broken }], /^Dateien/);
        await choose(page, "kaputt.png", "jpg");
        await page.getByRole("button", { name: /^1 Datei umwandeln$/ }).click();
        const words = "Die Datei ist beschädigt oder unvollständig.";
        await page.getByText(words).first().waitFor();
        await page.goto(`${url}/jobs`);
        await page.getByRole("row").getByText(words).waitFor();
        await page.getByRole("button", { name: /^Einzelheiten/ }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("alert").getByText(words).waitFor();
        expect(await dialog.locator("p[lang=en]").innerText()).toMatch(/\w{3,}/);
        expect(await dialog.innerText()).not.toContain("The file is damaged");
      },
      { locale: "de-DE" },
    ));
});

/** Drops files and folders from the disk through the browser's protocol, instead of a synthetic event. */
const dropPaths = async (page: Page, files: readonly string[]): Promise<void> => {
  await page.getByRole("button", { name: /^Choose files/ }).waitFor();
  const session = await page.context().newCDPSession(page);
  const COPY = 1;
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    const data = { items: [], files: [...files], dragOperationsMask: COPY };
    await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
  }
  await session.detach();
};

/** Copies an image to the clipboard, like a screenshot program. */
const copyPicture = async (page: Page, png: Buffer): Promise<void> => {
  await page.bringToFront();
  await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
    "image/png": new Blob([Uint8Array.fromBase64(${JSON.stringify(png.toString("base64"))})], { type: "image/png" })
  })])`);
};
