import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { OPERATOR_TEXTS } from "../../support/browser/dashboard.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("the pages for developers, in Chromium", () => {
  const at = stage({ ANYFORM_OPERATOR_PAGES: OPERATOR_TEXTS });

  test("the operator's texts are pages in the reader's language, without the HTML that they contain", () =>
    at.visit(
      async ({ page, url }) => {
        await page.goto(`${url}/status`);
        const footer = page.getByRole("contentinfo").getByRole("link");
        await footer.filter({ hasText: "Imprint" }).waitFor();
        expect(await footer.allInnerTexts()).toEqual(["Status", "Privacy", "Imprint", "Open source (Apache 2.0)"]);
        await page.getByRole("link", { name: "Imprint" }).click();
        await page.getByRole("heading", { level: 1, name: "Imprint of Example Ltd." }).waitFor();
        await page.getByText('<script>document.title = "run"</script>').waitFor();
        expect(await page.getByRole("link", { name: "Do not run" }).count()).toBe(0);
        expect(await page.getByRole("link", { name: "office@example.com" }).getAttribute("href")).toBe(
          "mailto:office@example.com",
        );
        await page.getByRole("combobox", { name: "Language" }).selectOption("de");
        await page.getByRole("heading", { level: 1, name: "Impressum der Example Ltd." }).waitFor();
        const answer = await page.goto(`${url}/terms`);
        expect(answer?.status()).toBe(404);
        await page.getByRole("heading", { level: 1, name: "Diese Seite gibt es nicht" }).waitFor();
      },
      { expected: [/^404 GET \/terms$/] },
    ));

  test("the format explorer finds a format by file name, lists its conversions, and keeps the choice in the URL", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/formats`);
      const field = page.getByRole("searchbox", { name: "Format or file name" });
      await field.fill("holiday.HEIC");
      await page.getByText("1 format", { exact: true }).waitFor();
      await field.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Convert HEIC to…" }).waitFor();
      expect(new URL(page.url()).search).toBe("?from=heic");
      const jpeg = page.getByRole("listitem").filter({ hasText: /^jpg/ });
      await jpeg.getByText("JPEG").click();
      await jpeg.getByRole("rowheader", { name: "quality" }).waitFor();
      await jpeg.getByText("Width of the result in pixels.").waitFor();
      await page.getByRole("button", { name: "Convert from" }).click();
      await page.getByRole("heading", { level: 1, name: "Convert to HEIC from…" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Convert HEIC to…" }).waitFor();
    }));

  test("the format explorer reads only the name of a dropped file", () =>
    at.visit(async ({ page, url, context }) => {
      const sent: string[] = [];
      context.on("request", (request) => void (request.method() === "GET" || sent.push(request.url())));
      await page.goto(`${url}/formats`);
      await page
        .getByText(/^\d+ formats$/)
        .first()
        .waitFor();
      const drop = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(["not an archive"], "scan.tar.gz"));
        return data;
      })()`);
      await page.dispatchEvent("main", "dragover", { dataTransfer: drop });
      await page.dispatchEvent("main", "drop", { dataTransfer: drop });
      await page.getByRole("heading", { level: 1, name: /^Convert .+ to…$/ }).waitFor();
      expect(new URL(page.url()).search).toBe("?from=tgz");
      expect(sent).toEqual([]);
    }));

  test("the status page shows availability and history, and reports when the service is down", () =>
    at.visit(
      async ({ page, url, context }) => {
        await page.goto(`${url}/status`);
        await page.getByRole("main").getByText("The service is operational.").waitFor();
        await page.getByText("No conversions in the last 90 days.").waitFor();
        await context.setOffline(true);
        await page.getByRole("button", { name: "Refresh" }).click();
        await page.getByRole("main").getByText("The service is not responding.").waitFor();
        await context.setOffline(false);
        await page.getByRole("button", { name: "Refresh" }).click();
        await page.getByRole("main").getByText("The service is operational.").waitFor();
      },
      { expected: [/^net::ERR_INTERNET_DISCONNECTED GET/] },
    ));

  test("the quick start has this service's URL in every language, selected by arrow keys", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/docs`);
      await page.getByRole("tab", { name: "curl" }).focus();
      const names = ["TypeScript", "fetch", "Python", "Python, no packages"];
      for (const name of names) {
        await page.keyboard.press("ArrowRight");
        const tab = page.getByRole("tab", { name, exact: true, selected: true });
        await tab.waitFor();
        expect(await page.locator(":focus").innerText()).toBe(name);
        expect(await page.getByRole("tabpanel").innerText()).toContain(url);
      }
      await page.getByRole("link", { name: /^All errors/ }).click();
      await page.getByRole("row", { name: /^quota_exceeded 429/ }).waitFor();
    }));
});
