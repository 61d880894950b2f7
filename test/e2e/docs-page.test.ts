import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserPage, openBrowser } from "../support/browser/chromium.ts";
import type { OpenapiDocument } from "../support/document-check.ts";
import { startLocalTarget } from "../support/services/targets.ts";

describe("the page at /api/v1/docs, in Chromium", () => {
  let running: Awaited<ReturnType<typeof startLocalTarget>>;
  let page: BrowserPage;
  beforeAll(async () => {
    running = await startLocalTarget();
    page = await openBrowser();
    await page.open(`${running.target.client.url}/api/v1/docs`);
    await page.until("document.querySelectorAll('.opblock').length > 0");
  });
  afterAll(async () => {
    await page?.close();
    await running?.stop();
  });

  test("shows every operation and every webhook event", async () => {
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll(".opblock-summary")].map((row) =>
        [".opblock-summary-method", ".opblock-summary-path"].map((part) => row.querySelector(part).textContent).join(" "))`,
    );
    const { paths } = (await running.target.client.call<OpenapiDocument>("/api/v1/openapi.json")).body;
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const messages = ["job", "pipeline"].flatMap((kind) =>
      ["cancelled", "completed", "failed"].map((end) => `POST ${kind}.${end}`),
    );
    expect(shown.sort()).toEqual([...served, ...messages].sort());
  });

  test.each([
    ["#operations-Uploads-createUpload", ["Idempotency-Key", "multipart/form-data", "Files are kept for 24 hours"]],
    ["#operations-Conversions-createJob", ["unsupported_conversion", "upl_", "webhook_url"]],
    ["[id$=jobCompleted]", ["webhook-signature", "holiday.jpg"]],
  ])("shows %s with its parameters, bodies and responses when it is expanded", async (operation, parts) => {
    await page.evaluate(`document.querySelector("${operation} .opblock-summary-control").click()`);
    await page.until(`document.querySelector("${operation} .responses-wrapper") !== null`);
    const text = await page.evaluate<string>(`document.querySelector("${operation}").innerText`);
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
  });

  test("sends a request with the entered key", async () => {
    const key = running.target.account.api_key;
    await page.evaluate(`document.querySelector(".auth-wrapper .authorize").click()`);
    await page.until(`document.querySelector(".auth-container input") !== null`);
    await page.evaluate(typed(".auth-container input", key));
    await page.evaluate(`document.querySelector(".auth-container button[type=submit]").click()`);
    const account = "#operations-Account-getAccount";
    await page.evaluate(`document.querySelector("${account} .opblock-summary-control").click()`);
    await page.until(`document.querySelector("${account} .try-out__btn") !== null`);
    await page.evaluate(`document.querySelector("${account} .try-out__btn").click()`);
    await page.until(`document.querySelector("${account} .execute") !== null`);
    await page.evaluate(`document.querySelector("${account} .execute").click()`);
    await page.until(`document.querySelector("${account} .live-responses-table") !== null`);
    const answer = await page.evaluate<string>(`document.querySelector("${account} .live-responses-table").innerText`);
    expect(answer).toContain("200");
    expect(answer).toContain(running.target.account.account_id);
  });

  test("sends no request to another host, and violates no Content-Security-Policy", async () => {
    const { origin } = new URL(running.target.client.url);
    expect(page.asked.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:"))).toEqual([]);
    expect(page.complaints).toEqual([]);
    // Both lists would show a request to another host: it is blocked and logged.
    await page.evaluate(`fetch("http://elsewhere.invalid/").catch(() => undefined)`);
    await page.until("true");
    expect(page.complaints.join()).toContain("elsewhere.invalid");
  });
});

/** Enters text with the events that React listens to. */
const typed = (selector: string, text: string): string => `(() => {
  const input = document.querySelector(${JSON.stringify(selector)});
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, ${JSON.stringify(text)});
  input.dispatchEvent(new Event("input", { bubbles: true }));
})()`;
