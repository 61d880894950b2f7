import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { OwnerView } from "../../../../functions/domain/sessions/session-views.ts";
import type { Problem } from "../../../support/services/client.ts";
import {
  type AccountClient,
  accountOn,
  endOf,
  fixture,
  newAccount,
  type PageCall,
  pagesOf,
  type Target,
} from "../target.ts";

/** What owners do with their account: change its address, and delete it. */
export const ownAccountSuite = (target: () => Target): void => {
  const addressOf = (name: string) => `${name}-${crypto.randomUUID()}@example.com`;

  const codeFor = async (ask: PageCall, email: string) => {
    const { body } = await ask<{ challenge_id: string }>("/api/v1/session/code", { method: "POST", json: { email } });
    return { challenge_id: body.challenge_id, code: await target().codeFor(email) };
  };
  const addressChanged = async (ask: PageCall, email: string) => {
    const json = await codeFor(ask, email);
    return ask<OwnerView & Problem>("/api/v1/session/email", { method: "POST", json });
  };

  describe("changing the address of an account", () => {
    let account: AccountClient;
    let ask: PageCall;
    beforeEach(async () => {
      account = await newAccount(target(), 10);
      ask = await pagesOf(target(), account);
    });

    it("needs a code from the new address, and keeps account, keys and session", async () => {
      const email = addressOf("renamed");
      const changed = await addressChanged(ask, email);
      expect([changed.status, changed.body.email, changed.body.id]).toEqual([200, email, account.account_id]);
      const { body } = await ask<{ account: OwnerView }>("/api/v1/session");
      expect(body.account).toMatchObject({ id: account.account_id, email });
      expect((await account.client.call("/api/v1/account")).status).toBe(200);
    });

    it("rejects the address of another account, and a code that was used", async () => {
      const email = addressOf("taken");
      const other = await pagesOf(target(), await newAccount(target(), 10));
      expect((await addressChanged(other, email)).status).toBe(200);
      const json = await codeFor(ask, email);
      const change = () => ask<Problem>("/api/v1/session/email", { method: "POST", json });
      const [taken, again] = [await change(), await change()];
      expect([taken.status, taken.body.code]).toEqual([409, "email_taken"]);
      expect([again.status, again.body.code]).toEqual([422, "wrong_code"]);
    });
  });

  describe("deleting an account", () => {
    it("deletes its jobs, files, keys, sessions and address, and nothing of another account", async () => {
      const [account, other] = [await accountOn(target(), ["--plan", "api"]), await newAccount(target(), 10)];
      const bytes = await readFile(fixture("sample.png"));
      const job = async ({ client }: AccountClient) => {
        const { body } = await client.upload({ name: "a.png", bytes });
        const accepted = await client.convert({ upload_id: body.upload_id, target_format: "jpg" });
        const ended = await endOf(client, accepted.body.id);
        return { ended, upload: body.upload_id };
      };
      const [own, foreign] = [await job(account), await job(other)];
      const piped = await account.client.call<{ id: string }>("/api/v1/pipelines", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          inputs: { photo: own.upload },
          steps: [{ name: "jpg", from: "photo", operation: "convert", target_format: "jpg" }],
        }),
      });
      expect(piped.status).toBe(202);
      const ask = await pagesOf(target(), account);
      const deleted = await ask("/api/v1/session/account", { method: "DELETE" });
      expect([deleted.status, deleted.headers.get("set-cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")]);

      const gone = await account.client.call<Problem>("/api/v1/account");
      expect([gone.status, gone.body.code]).toEqual([401, "invalid_api_key"]);
      const session = await ask<Problem>("/api/v1/keys");
      expect([session.status, session.body.code]).toEqual([401, "missing_session"]);
      expect((await other.client.call(`/api/v1/convert/${own.ended.id}/status`)).status).toBe(404);
      const download = await fetch(own.ended.result?.download_url ?? "", {
        headers: { authorization: `Bearer ${account.api_key}` },
      });
      expect(download.status).toBe(401);
      const listed = await target().accounts<{ account_id: string }[]>(["list"]);
      expect(listed.map(({ account_id }) => account_id)).not.toContain(account.account_id);

      expect((await other.client.call(`/api/v1/convert/${foreign.ended.id}/status`)).status).toBe(200);
      expect((await other.client.call(`/api/v1/upload/${foreign.upload}`)).status).toBe(200);
    });
  });
};
