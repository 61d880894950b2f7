import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, openBrowser, openVisitor } from "../../support/browser/browser.ts";
import { browserUrl, fixture, signInToFree } from "../../support/browser/dashboard.ts";
import { type LocalService, startLocalService } from "../../support/services/local-service.ts";
import { writeSilence } from "../../support/silence.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { addFiles, addPath, choose, download, press } from "./on-convert.ts";

/** Five minutes of silence: converting it to MP3 takes long enough to be interrupted. */
const RECORDING_BYTES = 50_000_000;
const LONG_MS_MAX = 180_000;

describe.skipIf(!hasBrowser())("an outage of the service, in Chromium", () => {
  let browser: Browser;
  let service: LocalService;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder();
    [browser, service] = await Promise.all([openBrowser(), startLocalService()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await service?.erase();
    await folder?.remove();
  });

  /** Kills the service as in a power cut. @returns a function that starts it again with the same data */
  const cut = async (): Promise<() => Promise<void>> => {
    const { port } = new URL(service.url);
    await service.kill();
    return async () => {
      service = await startLocalService({ dataDir: service.dataDir, env: { PORT: port } });
    };
  };

  test("is reported on each page, and the list of files is still there afterward", async () => {
    const { page, url, context, complaints } = await openVisitor(browser, browserUrl(service));
    await signInToFree({ service: () => service }, { context, url });
    await page.goto(`${url}/jobs`);
    await page.getByText("No jobs yet.").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Convert" }).click();
    await addFiles(page, [fixture("sample.csv"), fixture("sample.png")]);
    await choose(page, "sample.csv", "json");
    await choose(page, "sample.png", "webp");
    const restart = await cut();
    await press(page, "Convert 2 files");
    await page.getByRole("alert").getByText("Could not reach the service.").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("alert").getByText("Could not reach the service.").waitFor();
    await restart();
    await press(page, "Try again");
    await page.getByText("No jobs yet.").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Jobs");
    await page.getByRole("navigation").getByRole("link", { name: "Convert" }).click();
    await press(page, "Convert 2 files");
    await download(page, "sample.json");
    await download(page, "sample.webp");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test(
    "during a conversion does not lose it: the service and the page continue afterward",
    async () => {
      const { page, url, context, complaints } = await openVisitor(browser, browserUrl(service));
      await signInToFree({ service: () => service }, { context, url });
      const recording = join(folder.path, "silence.wav");
      await writeSilence(recording, RECORDING_BYTES);
      await page.goto(url);
      await addPath(page, recording);
      await choose(page, "silence.wav", "mp3");
      await press(page, "Convert 1 file");
      await page
        .getByText(/^Converting/)
        .first()
        .waitFor();
      const restart = await cut();
      await restart();
      await page.getByRole("button", { name: "Download silence.mp3" }).waitFor({ timeout: LONG_MS_MAX });
      expect(complaints).toEqual([]);
      await context.close();
    },
    LONG_MS_MAX,
  );
});
