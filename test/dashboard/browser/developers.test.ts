import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("the pages for developers, in Chromium", () => {
  const at = stage();

  test("the format explorer tells from a typed name what a format can become, and its address bears the choice", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/formats`);
      const field = page.getByRole("searchbox", { name: "Format or file name" });
      await field.fill("holiday.HEIC");
      await page.getByText("1 format", { exact: true }).waitFor();
      await field.press("Enter");
      await page.getByRole("heading", { level: 1, name: "What can HEIC become?" }).waitFor();
      expect(new URL(page.url()).search).toBe("?from=heic");
      const jpeg = page.getByRole("listitem").filter({ hasText: /^jpg/ });
      await jpeg.getByText("JPEG").click();
      await jpeg.getByRole("rowheader", { name: "quality" }).waitFor();
      await jpeg.getByText("Width of the result in pixels.").waitFor();
      await page.getByRole("button", { name: "It comes from" }).click();
      await page.getByRole("heading", { level: 1, name: "What can become HEIC?" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "What can HEIC become?" }).waitFor();
    }));

  test("the format explorer looks at nothing of a dropped file but its name", () =>
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
        data.items.add(new File(["no picture"], "scan.tar.gz"));
        return data;
      })()`);
      await page.dispatchEvent("main", "dragover", { dataTransfer: drop });
      await page.dispatchEvent("main", "drop", { dataTransfer: drop });
      await page.getByRole("heading", { level: 1, name: /become\?$/ }).waitFor();
      expect(new URL(page.url()).search).toBe("?from=tgz");
      expect(sent).toEqual([]);
    }));

  test("the status page says that all is well, names the engines, and says so when the service is gone", () =>
    at.visit(
      async ({ page, url, context }) => {
        await page.goto(`${url}/status`);
        await page.getByRole("main").getByText("All is well: the service answers.").waitFor();
        await page.getByRole("row", { name: /^sharp 0\.\d+\.\d+ Pictures/ }).waitFor();
        await context.setOffline(true);
        await page.getByRole("button", { name: "Ask again" }).click();
        await page.getByRole("main").getByText("The service does not answer.").waitFor();
        await context.setOffline(false);
        await page.getByRole("button", { name: "Ask again" }).click();
        await page.getByRole("main").getByText("All is well: the service answers.").waitFor();
      },
      { expected: [/^net::ERR_INTERNET_DISCONNECTED GET/] },
    ));

  test("the quick start has this deployment's address in every language, chosen by arrow keys", () =>
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
      await page.getByRole("button", { name: "Show all errors" }).click();
      await page.getByRole("row", { name: /^quota_exceeded 429/ }).waitFor();
    }));
});
