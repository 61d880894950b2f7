import type { AccountChanges } from "../domain/plans.ts";
import { type UpdateAccountRequest, updateAccountRequest } from "./account-request.ts";
import { http, type Operation } from "./http.ts";
import { ownAccount } from "./own-account.ts";
import { ownerView } from "./session-view.ts";

/** Changes what holds for all jobs of the account from now on; what is not named stays. */
export const updateAccount: Operation<UpdateAccountRequest> = (context) => async (request) => {
  const { webhook_url, retention_hours } = request.body;
  const changes: AccountChanges = {
    ...(webhook_url !== undefined && { webhookUrl: webhook_url }),
    ...(retention_hours !== undefined && { retentionHours: retention_hours }),
  };
  await context.accounts.change(request.accountId, changes);
  const account = (await context.accounts.getAccount(request.accountId)) ?? ownAccount(request);
  return { status: 200, body: ownerView(account) };
};

export const handler = http("updateAccount", updateAccount, updateAccountRequest);
