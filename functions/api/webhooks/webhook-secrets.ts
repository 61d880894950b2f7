import type { WebhookSecret } from "../../domain/accounts/plans.ts";
import type { Context } from "../../domain/ports.ts";
import { newWebhookSecret } from "../../domain/webhooks/message.ts";
import type { ApiRequest } from "../request.ts";

/** @returns the signing secrets of the account. The first webhook of an account creates them */
export const webhookSecrets = async (
  context: Pick<Context, "accounts" | "random">,
  { account, accountId, now }: Pick<ApiRequest<unknown>, "account" | "accountId" | "now">,
): Promise<readonly WebhookSecret[]> => {
  // Read again, because a request that was processed before this one may have created it.
  const latest = account?.webhookSecrets === undefined ? await context.accounts.getAccount(accountId) : account;
  if (latest?.webhookSecrets !== undefined) {
    return latest.webhookSecrets;
  }
  const created = [{ secret: newWebhookSecret(context.random), createdAt: now }];
  await context.accounts.change(accountId, { webhookSecrets: created });
  return created;
};
