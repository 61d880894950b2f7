import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { fixture } from "../../support/browser/dashboard.ts";
import { addFiles, choose, download, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("guest access, if the operator allows it", () => {
  const at = stage({ ANYFORM_VISITORS: "true" });

  test("guests convert five small files a day, and the sixth is rejected with a message", () =>
    at.visit(
      async ({ page, url }) => {
        await page.goto(url);
        await page.getByText("Try it without an account: 5 files a day").waitFor();
        const table = Buffer.from("name,born\nAda,1815\n");
        const files = Array.from({ length: 6 }, (_, index) => ({
          name: `table-${index + 1}.csv`,
          mimeType: "text/csv",
          buffer: table,
        }));
        await addFiles(page, files);
        for (const { name } of files) {
          await choose(page, name, "json");
        }
        await press(page, "Convert 6 files");
        await expect.poll(() => page.getByRole("button", { name: /^Download table-\d\.json$/ }).count()).toBe(5);
        await page
          .getByText(/reached the daily limit|5 files a day/)
          .first()
          .waitFor();
        const name = await page
          .getByRole("button", { name: /^Download table-\d\.json$/ })
          .first()
          .getAttribute("aria-label");
        await download(page, (name ?? "").replace("Download ", ""));
      },
      { expected: [/^429 POST \/api\/v1\/upload$/] },
    ));

  test("pages for members redirect to the sign-in page", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/keys`);
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      expect(new URL(page.url()).searchParams.get("next")).toBe("/keys");
    }));

  test("a file above the size limit for guests is reported before the upload", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(url);
      await addFiles(page, [
        { name: "large.csv", mimeType: "text/csv", buffer: Buffer.alloc(5_100_000, "a,b\n") },
        fixture("sample.csv"),
      ]);
      await choose(page, "large.csv", "json");
      await page
        .getByText(/up to 5 MB/)
        .nth(1)
        .waitFor();
    }));
});
