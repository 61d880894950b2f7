import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiClient } from "../support/services/client.ts";
import { accountsCommand, startLocalService } from "../support/services/local-service.ts";
import { type RunningTarget, startAwsTarget, startLocalTarget } from "../support/services/targets.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, newAccount, pagesOf } from "./suite/target.ts";

/** Accounts move from one machine to AWS and back with the operator's commands, and clients notice only the URL. */

let [machine, aws]: RunningTarget[] = [];
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = temporaryFolder();
  [machine, aws] = await Promise.all([startLocalTarget(), startAwsTarget()]);
});
afterAll(async () => {
  await Promise.all([machine?.stop(), aws?.stop()]);
  await folder.remove();
});

interface AccountView {
  readonly id: string;
  readonly plan: string;
  readonly quota: { readonly limit: number; readonly used: number };
}

it("keeps an API key, the webhook settings and the usage of an account, to AWS and back", async () => {
  if (machine === undefined || aws === undefined) {
    throw new Error("The targets did not start.");
  }
  const account = await newAccount(machine.target, 50);
  const page = await pagesOf(machine.target, account);
  const settings = { webhook_url: "https://127.0.0.1:9/hook", retention_hours: 3 };
  expect((await page("/api/v1/session/account", { method: "POST", json: settings })).status).toBe(200);
  await account.client.turn(fixture("sample.png"), "jpg");
  const secret = await account.client.call<{ secrets: object[] }>("/api/v1/webhooks/secret");
  expect(secret.body.secrets).toHaveLength(1);

  const [out, back] = [join(folder.path, "out.jsonl"), join(folder.path, "back.jsonl")];
  await machine.target.accounts(["export", out]);
  expect(await aws.target.accounts(["import", out, "--dry-run"])).toMatchObject({ accounts_added: 3, dry_run: true });
  expect(await aws.target.accounts(["import", out])).toMatchObject({ accounts_added: 3, keys_added: 3 });
  expect(await aws.target.accounts(["import", out])).toMatchObject({ accounts_added: 0, keys_unchanged: 3 });

  const onAws = aws.target.client.withKey(account.api_key);
  const moved = await onAws.call<AccountView>("/api/v1/account");
  expect(moved.body).toMatchObject({ id: account.account_id, plan: "enterprise", quota: { limit: 50, used: 3 } });
  expect((await onAws.call("/api/v1/webhooks/secret")).body).toEqual(secret.body);
  const owner = await (await pagesOf(aws.target, account))<object>("/api/v1/session");
  expect(owner.body).toMatchObject({ account: settings });
  await onAws.turn(fixture("sample.png"), "jpg");

  await aws.target.accounts(["export", back]);
  const environment = { DATA_DIR: join(folder.path, "data") };
  expect(await accountsCommand(["import", back], environment)).toMatchObject({ accounts_added: 4 });
  const service = await startLocalService({
    dataDir: environment.DATA_DIR,
    env: { ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" },
  });
  try {
    const client = (await apiClient(service.url)).withKey(account.api_key);
    expect((await client.call<AccountView>("/api/v1/account")).body.quota).toMatchObject({ limit: 50, used: 6 });
    await client.turn(fixture("sample.png"), "jpg");
  } finally {
    await service.stop();
  }
});
