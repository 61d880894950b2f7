import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser/browser.ts";
import { codeFor, invitationFor, send, signInToFree } from "../../support/browser/dashboard.ts";
import { convert } from "../../support/browser/furnish.ts";
import { stage } from "./stage.ts";

const OPERATOR = "ops@example.com";

describe.skipIf(!hasBrowser())("an account's address, data and deletion, in Chromium", () => {
  const at = stage({ ANYFORM_OPERATORS: OPERATOR });

  test("the address changes with a code that was sent to the new one", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(`${url}/account`);
      const email = `new-${crypto.randomUUID()}@example.com`;
      await page.getByRole("button", { name: "Change email address" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("New email address").fill(email);
      await dialog.getByRole("button", { name: "Send code" }).click();
      await dialog.getByLabel("Six-digit code").fill(await codeFor(at, email));
      await dialog.getByRole("button", { name: "Change email address" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("main").getByText(email).waitFor();
      const { body } = await send<{ account: { email: string } }>(visitor, "session", undefined, "GET");
      expect(body.account.email).toBe(email);
    }));

  test("the data of an account is saved as one file, and nothing is left after its deletion", () =>
    at.visit(
      async (visitor) => {
        const { page, url } = visitor;
        const email = await signInToFree(at, visitor);
        const { body } = await send<{ key: string }>(visitor, "keys", { name: "Website" });
        const job = await convert(visitor, "sample.png", "jpg");
        await page.goto(`${url}/account`);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download my data" }).click();
        const saved = JSON.parse(await readFile(await (await saving).path(), "utf8"));
        expect(saved).toMatchObject({
          account: { email },
          keys: [{ name: "Website" }],
          jobs: [{ id: job }],
          sessions: [{ current: true }],
          usage: [{ used: expect.any(Number) }],
          webhooks: [],
        });
        expect(JSON.stringify(saved)).not.toContain(body.key);

        await page.getByRole("button", { name: "Delete account" }).click();
        const dialog = page.getByRole("dialog");
        const deletion = dialog.getByRole("button", { name: "Delete account" });
        expect(await deletion.isDisabled()).toBe(true);
        await dialog.getByLabel(`Enter ${email} to confirm`).fill(email);
        await deletion.click();
        await page.getByRole("link", { name: "Sign in" }).first().waitFor();
        const { status } = await fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${body.key}` } });
        expect(status).toBe(401);
      },
      // Everything is read faster than the burst limit allows, and then again; the deletion can be the next request.
      { expected: [/^429 (?:GET|DELETE) \/api\/v1\//] },
    ));

  test("an operator approves a requested plan and finds the account, and nobody else sees the page", async () => {
    const email = `asks-${crypto.randomUUID()}@example.com`;
    await at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor, email);
      await send(visitor, "session/plan", { plan: "enterprise", note: "60,000 files" });
      await page.goto(`${url}/operator`);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    });
    await at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor, OPERATOR);
      await page.goto(url);
      await page.getByRole("button", { name: "Account menu" }).click();
      await page.getByRole("link", { name: "Operator" }).click();
      const requested = page.getByRole("row", { name: email }).filter({ hasText: "60,000 files" });
      await requested.getByRole("button", { name: "Approve" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Requests per month").fill("60000");
      await dialog.getByRole("button", { name: "Change plan" }).click();
      await page.getByText("No open requests.").waitFor();
      await page.getByLabel("Find an account by email address").fill(email);
      await page.getByRole("button", { name: "Search" }).click();
      const found = page.getByRole("table", { name: "Accounts" }).getByRole("row", { name: email });
      await found.getByText("0 of 60,000").waitFor();
      await page.getByRole("row", { name: "fast" }).waitFor();
    });
  });

  test("a member is invited, joins with the code, gets another role, and is signed out when removed", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(`${url}/account`);
      const email = `member-${crypto.randomUUID()}@example.com`;
      await page.getByLabel("Email address to invite").fill(email);
      await page.getByRole("button", { name: "Send invitation" }).click();
      await page.getByText("Invited", { exact: true }).waitFor();
      const code = await invitationFor(at, email);
      await at.visit(
        async ({ page: other }) => {
          await other.goto(`${url}/sign-in`);
          await other.getByRole("button", { name: "Use an invitation code" }).click();
          await other.getByLabel("Invitation code").fill(code);
          await other.getByRole("button", { name: "Join", exact: true }).click();
          await other.getByRole("button", { name: "Account menu" }).click();
          await other.getByText(email).first().waitFor();
          await page.reload();
          await page.getByLabel(`Role of ${email}`).selectOption("billing");
          await page.getByText("Role changed.").first().waitFor();
          await other.goto(`${url}/account`);
          await other.getByText(`You are a member of this account as ${email} (Billing).`).waitFor();
          expect(await other.getByRole("link", { name: "API keys" }).count()).toBe(0);
          await page.getByRole("button", { name: `Remove ${email}` }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
          await page.getByRole("dialog").waitFor({ state: "detached" });
          await other.goto(`${url}/account`);
          await other.getByRole("heading", { name: "Sign in" }).waitFor();
        },
        { expected: [/^401 /] },
      );
    }));
});
