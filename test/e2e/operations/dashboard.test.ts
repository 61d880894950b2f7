import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { options as texts } from "../../../dashboard/text/en/options.ts";
import { type Bench, openBench } from "../../client/support/service.ts";
import { addFiles, choose, press } from "../../dashboard/browser/on-convert.ts";
import { hasBrowser, openBrowser, openVisitor, type Visitor } from "../../support/browser/browser.ts";
import { browserUrl, signIn } from "../../support/browser/dashboard.ts";
import { filmRows } from "./film-rows.ts";
import { otherRows } from "./other-rows.ts";
import { paperRows } from "./paper-rows.ts";
import { pictureRows } from "./picture-rows.ts";
import { writeSources } from "./sources.ts";
import { inputsOf, textOf } from "./table.ts";

/** Each operation of one file by the forms of the dashboard, in Chromium. */

const rows = [...paperRows, ...pictureRows, ...filmRows, ...otherRows].filter((row) => inputsOf(row).length === 1);

/** Fills in a field of any kind. @param folder that of files */
const fill = async (dialog: Locator, field: Locator, { value, folder }: { value: unknown; folder: string }) => {
  const kind = await field.evaluate((element) => `${element.tagName} ${element.getAttribute("type")}`);
  switch (kind) {
    case "SELECT null":
      await field.selectOption(textOf(value));
      break;
    case "INPUT checkbox":
      await field.setChecked(value === true);
      break;
    case "INPUT file":
      await field.setInputFiles(join(folder, textOf(value)));
      await dialog.getByText(texts.uploaded).waitFor();
      break;
    default:
      await field.fill(textOf(value));
  }
};

describe.skipIf(!hasBrowser())("operations by the dashboard", () => {
  let bench: Bench;
  let browser: Browser;
  let visitor: Visitor;
  beforeAll(async () => {
    [bench, browser] = await Promise.all([openBench(), openBrowser()]);
    await writeSources(bench.folder);
    visitor = await openVisitor(browser, browserUrl(bench.service));
    await signIn({ service: () => bench.service }, visitor, "owner@localhost");
  });
  afterAll(async () => {
    await browser?.close();
    await bench?.close();
  });

  test.each(rows)("$name", async (row) => {
    const { page, url } = visitor;
    const { folder } = bench;
    const [name = ""] = inputsOf(row);
    await page.goto(url);
    // The form would be filled in with the options of the row before.
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await addFiles(page, [join(folder, name)]);
    await choose(page, name, row.to);
    const values = Object.entries({ ...row.options, ...row.files });
    if (values.length > 0) {
      await press(page, `Options for ${name}`);
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const search = dialog.getByRole("searchbox");
      for (const [option, value] of values) {
        if ((await search.count()) > 0) {
          await search.fill(option);
        }
        const label = texts.names[option]?.title ?? option;
        await fill(dialog, dialog.getByLabel(label, { exact: true }).last(), { value, folder });
      }
      await press(page, "Apply");
    }
    await press(page, "Convert 1 file");
    const button = page.getByRole("button", { name: /^Download / }).first();
    await button.waitFor();
    const saving = page.waitForEvent("download");
    await button.click();
    const output = join(folder, `dashboard-${rows.indexOf(row)}.${row.to}`);
    await copyFile(await (await saving).path(), output);
    await row.check(output);
  });
});
