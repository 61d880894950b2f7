import { context } from "../../../functions/context.ts";
import { noticeIdOf } from "../../../functions/domain/accounts/quota-notices.ts";
import { monthOf } from "../../../functions/domain/accounts/quotas.ts";
import { handler as deliverWebhook } from "../../../functions/events/deliver-webhook.ts";
import type { RightsRecorder } from "../../support/rights/rights-recorder.ts";

/** Every kind of request about webhook endpoints. */
export const exerciseEndpoints = async ({ call, open }: RightsRecorder, url: string): Promise<void> => {
  const accountId = await open("seven@example.com");
  const path = "/api/v1/webhook-endpoints";
  const { id } = await call(`POST ${path}`, { body: { url } });
  await call(`GET ${path}`);
  await call(`POST ${path}/${id}`, { body: { enabled: false } });
  await call(`POST ${path}/${id}/secret`);
  await call(`POST ${path}/${id}/test`);
  await call(`DELETE ${path}/${id}`);
  // The first message to the webhook URL of the account creates its secret.
  await context().accounts.change(accountId, { webhookUrl: url });
  await call(`POST ${path}/default/test`);
};

/** Has a request use up the quota of the account, and delivers the notice to an endpoint and by email. */
export const reachQuota = async (
  { call, deliver }: RightsRecorder,
  { accountId, url }: { readonly accountId: string; readonly url: string },
  request: () => Promise<unknown>,
): Promise<void> => {
  const { accounts, quotas } = context();
  await call("POST /api/v1/webhook-endpoints", { body: { url, events: ["quota.reached"] } });
  const month = monthOf(Date.now());
  const plan = (await accounts.getAccount(accountId))?.plan ?? "free";
  await accounts.setPlan(accountId, plan, (await quotas.used(accountId, month)) + 1);
  await request();
  await accounts.setPlan(accountId, plan, 1_000_000);
  const notice = noticeIdOf(accountId, month, 100);
  await deliver("deliverWebhook", deliverWebhook, notice, { account_id: accountId, kind: "webhook" });
};
