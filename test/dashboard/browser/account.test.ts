import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { addressOf } from "../../support/address.ts";
import { hasBrowser, type Visitor } from "../../support/browser/browser.ts";
import { send, signInToFree } from "../../support/browser/dashboard.ts";
import { convert, convertBytes, furnish } from "../../support/browser/furnish.ts";
import { silence } from "../../support/silence.ts";
import { stage } from "./stage.ts";

/** Nine minutes of silence, which take some seconds to encode. */
const RECORDING_BYTES = 95_000_000;

interface MadeKey {
  readonly id: string;
  readonly key: string;
}

describe.skipIf(!hasBrowser())("keys, jobs and webhooks, in Chromium", () => {
  const at = stage({ ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });

  /** @returns the HTTP status of a request with the key */
  const statusFor = async (key: string): Promise<number> =>
    (await fetch(`${at.service().url}/api/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status;

  test("a revoked key is rejected immediately and listed as revoked", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      const { body } = await send<MadeKey>(visitor, "keys", { name: "Website" });
      expect(await statusFor(body.key)).toBe(200);
      await page.goto(`${url}/keys`);
      await page.getByRole("button", { name: "Revoke Website" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke Website" }).click();
      await page.locator("summary", { hasText: "1 inactive key" }).click();
      await page.getByRole("row", { name: /Website .* Revoked/ }).waitFor();
      expect(await statusFor(body.key)).toBe(401);
    }));

  test("rotating a key with immediate expiry ends it, and shows a new one that works", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      const { body } = await send<MadeKey>(visitor, "keys", { name: "Website" });
      await page.goto(`${url}/keys`);
      await page.getByRole("button", { name: "Rotate Website" }).click();
      await page.getByLabel("Old key expires").selectOption("0");
      await page.getByRole("button", { name: "Rotate key" }).click();
      const key = await page.getByLabel("New API key", { exact: true }).inputValue();
      expect([await statusFor(body.key), await statusFor(key)]).toEqual([401, 200]);
      await page.getByRole("button", { name: "Copy key" }).click();
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(key);
    }));

  test("a key is created with the requested name, type, permissions and expiry", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(`${url}/keys`);
      await page.getByRole("button", { name: "Create key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Enter a name for the key.").waitFor();
      await dialog.getByLabel("Name", { exact: true }).fill("Nightly");
      await dialog.getByRole("radio", { name: /^Test/ }).check();
      await dialog.getByRole("checkbox", { name: /^Webhooks/ }).uncheck();
      await dialog.getByLabel("Expires").selectOption({ label: "In 30 days" });
      await dialog.getByRole("button", { name: "Create key" }).click();
      expect(await page.getByLabel("New API key", { exact: true }).inputValue()).toMatch(/^af_test_/);
      const { body } = await send<{ readonly keys: readonly Record<string, unknown>[] }>(
        visitor,
        "keys",
        undefined,
        "GET",
      );
      expect(body.keys[0]).toMatchObject({
        name: "Nightly",
        kind: "test",
        scopes: ["upload", "convert", "read", "download", "storages"],
      });
      expect(body.keys[0]?.expires_at).not.toBeNull();
    }));

  test("running jobs are updated without a reload and can be cancelled", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      const recording = { name: "silence.wav", bytes: silence(RECORDING_BYTES) };
      const cancelled = await convertBytes(visitor, recording, { target: "mp3" });
      await page.goto(`${url}/jobs`);
      await page.getByRole("button", { name: /^Cancel/ }).click();
      await page.getByRole("row", { name: /wav.* Canceled/i }).waitFor();
      await expect.poll(() => statusOf(visitor, cancelled)).toBe("cancelled");
      await convertBytes(visitor, recording, { target: "flac" });
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByRole("row", { name: /wav.* (?:Queued|Processing)/i }).waitFor();
      await page.getByRole("row", { name: /silence\.flac .* Completed/ }).waitFor({ timeout: 60_000 });
    }));

  test("the former path of the usage page redirects to the page and keeps its query", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      await page.goto(`${url}/use?month=2026-01`);
      await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
      const { pathname, search } = new URL(page.url());
      expect(pathname + search).toBe("/usage?month=2026-01");
    }));

  test("a job is deleted with its record after confirmation", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      const id = await convert(visitor, "sample.csv", "json");
      await page.goto(`${url}/jobs`);
      await page.getByRole("row", { name: /sample\.json .* Completed/ }).waitFor();
      await page.getByRole("button", { name: "Delete sample.json" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete job" }).click();
      await page.getByText("No jobs yet.").waitFor();
      expect((await send(visitor, `convert/${id}/status`, undefined, "GET")).status).toBe(404);
    }));

  test("a signed message is delivered to the account's webhook and can be resent", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      const received: { readonly id: string; readonly isSigned: () => boolean }[] = [];
      const secrets: string[] = [];
      const receiver = createServer(async (request, response) => {
        const body = await text(request);
        const headers = request.headers as Record<string, string>;
        const isSigned = () => secrets.some((secret) => new Webhook(secret).verify(body, headers) !== undefined);
        received.push({ id: headers["webhook-id"] ?? "", isSigned });
        response.writeHead(204).end();
      });
      const address = await addressOf(receiver);
      await page.goto(`${url}/webhooks`);
      await page.getByLabel("URL", { exact: true }).fill(address);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Webhook saved.").first().waitFor();
      await convert(visitor, "sample.csv", "json");
      await expect.poll(() => received.length).toBe(1);
      const secret = await send<{ readonly secrets: readonly { readonly secret: string }[] }>(
        visitor,
        "webhooks/secret",
        undefined,
        "GET",
      );
      secrets.push(...secret.body.secrets.map((one) => one.secret));
      expect(received[0]?.isSigned()).toBe(true);
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByRole("row", { name: /Job completed .* Delivered/ }).waitFor();
      await page.getByRole("button", { name: /^Resend/ }).click();
      await expect.poll(() => received.length).toBe(2);
      expect(received[1]?.id).toBe(received[0]?.id);
      receiver.close();
      await once(receiver, "close");
    }));

  test("an endpoint is added, tested, changed and deleted, and a key is limited", () =>
    at.visit(async (visitor) => {
      const { page, url } = visitor;
      await signInToFree(at, visitor);
      const types: string[] = [];
      const receiver = createServer(async (request, response) => {
        types.push(JSON.parse(await text(request)).type);
        response.writeHead(204).end();
      });
      const address = await addressOf(receiver);
      await page.goto(`${url}/webhooks`);
      await page.getByRole("button", { name: "Add endpoint" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("URL").fill("example");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Enter a valid URL").waitFor();
      await dialog.getByLabel("URL").fill(address);
      await dialog.getByLabel("Job completed").uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: `Send a test message to ${address}` }).click();
      await page.getByText("accepted the test message").waitFor();
      expect(types).toEqual(["webhook.test"]);
      await page.getByRole("button", { name: `Edit ${address}` }).click();
      await dialog.getByLabel("Enabled").uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("row", { name: /Disabled/ }).waitFor();
      const { body } = await send<{ readonly endpoints: readonly Record<string, unknown>[] }>(
        visitor,
        "webhook-endpoints",
        undefined,
        "GET",
      );
      expect(body.endpoints).toMatchObject([{ url: address, enabled: false }]);
      expect(body.endpoints[0]?.events).not.toContain("job.completed");
      await page.getByRole("button", { name: `Delete ${address}` }).click();
      await dialog.getByRole("button", { name: "Delete endpoint" }).click();
      await page.getByText("No endpoints yet.").waitFor();
      receiver.close();
      await once(receiver, "close");
      await send(visitor, "keys", { name: "Website" });
      await page.goto(`${url}/keys`);
      await page.getByRole("button", { name: "Limits of Website" }).click();
      await dialog.getByLabel("Requests per month").fill("0");
      await dialog.getByLabel("Allowed websites").fill("https://shop.example/page");
      await dialog.getByRole("button", { name: "Save limits" }).click();
      await dialog.getByText("Enter a whole number from 1.").waitFor();
      await dialog.getByLabel("Requests per month").fill("250");
      await dialog.getByRole("button", { name: "Save limits" }).click();
      await page.getByText("0 of 250 requests this month").waitFor();
      await page.getByText("https://shop.example", { exact: true }).waitFor();
    }));

  test("keys, jobs, messages and sessions of another account are not found", async () => {
    await at.visit(async (owner) => {
      const { receiver, jobs } = await furnish(at, owner);
      const keys = await send<{ readonly keys: readonly { readonly id: string }[] }>(owner, "keys", undefined, "GET");
      const sessions = await send<{ readonly sessions: readonly { readonly id: string }[] }>(
        owner,
        "session/devices",
        undefined,
        "GET",
      );
      const messages = async () =>
        (await send<{ readonly messages: readonly { readonly id: string }[] }>(owner, "webhooks", undefined, "GET"))
          .body.messages;
      await expect.poll(async () => (await messages()).length).toBeGreaterThan(0);
      const foreign = [
        ["DELETE", `keys/${keys.body.keys[0]?.id}`],
        ["POST", `keys/${keys.body.keys[0]?.id}/rotate`],
        ["GET", `convert/${jobs[0]}/status`],
        ["DELETE", `convert/${jobs[0]}`],
        ["POST", `webhooks/${(await messages())[0]?.id}/redeliver`],
        ["DELETE", `session/devices/${sessions.body.sessions[0]?.id}`],
      ] as const;
      await at.visit(async (stranger) => {
        await signInToFree(at, stranger);
        const answers = await Promise.all(foreign.map(([method, path]) => statusOfRequest(stranger, method, path)));
        expect(answers).toEqual(foreign.map(() => 404));
        await stranger.page.goto(`${stranger.url}/jobs`);
        await stranger.page.getByText("No jobs yet.").waitFor();
        await stranger.page.goto(`${stranger.url}/keys`);
        await stranger.page.getByText("No API keys yet.").waitFor();
      });
      receiver.close();
    });
  });
});

const statusOf = async (visitor: Visitor, id: string): Promise<string> =>
  (await send<{ readonly status: string }>(visitor, `convert/${id}/status`, undefined, "GET")).body.status;

const statusOfRequest = async (visitor: Visitor, method: string, path: string): Promise<number> =>
  (await send(visitor, path, method === "POST" ? {} : undefined, method)).status;
