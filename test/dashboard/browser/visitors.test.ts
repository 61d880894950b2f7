import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import { fixture } from "../../support/dashboard.ts";
import { addFiles, choose, download, press } from "./on-convert.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("trying it without an account, where the operator allows it", () => {
  const at = stage({ ANYFORM_VISITORS: "true" });

  test("five small files a day are converted, and the sixth is refused in words", () =>
    at.visit(
      async ({ page, url }) => {
        await page.goto(url);
        await page.getByText("You can try it without an account: 5 files a day").waitFor();
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
        await expect
          .poll(() => page.getByRole("button", { name: /^Download table-\d\.json$/ }).count(), { timeout: 60_000 })
          .toBe(5);
        await page
          .getByText(/That is all for today|5 files a day/)
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

  test("pages for members lead to signing in", () =>
    at.visit(async ({ page, url }) => {
      await page.goto(`${url}/keys`);
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      expect(new URL(page.url()).searchParams.get("next")).toBe("/keys");
    }));

  test("a file larger than visitors may send is told of before it is sent", () =>
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
