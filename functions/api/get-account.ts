import { RequestError } from "../domain/errors.ts";
import { FILE_RETENTION_MS } from "../domain/limits.ts";
import { plans, requestsPerMonth } from "../domain/plans.ts";
import { monthOf, quotaReset } from "../domain/quotas.ts";
import { HOUR_MS, timestamp } from "../domain/times.ts";
import type { AccountView } from "../domain/views.ts";
import { http, type Operation } from "./http.ts";

/** Tells plan, quota and what of it is used this month. */
export const getAccount: Operation = (context) => async (request) => {
  const { account } = request;
  if (account === undefined) {
    throw new RequestError("invalid_api_key", "The account of this API key is closed.");
  }
  const limit = requestsPerMonth(account);
  const used = await context.quotas.used(account.id, monthOf(request.now));
  const body: AccountView = {
    id: account.id,
    plan: account.plan,
    quota: {
      limit,
      used,
      remaining: Math.max(0, limit - used),
      resets_at: timestamp(quotaReset(request.now)),
      requests_per_second: plans[account.plan].requestsPerSecond ?? null,
    },
    retention_hours: account.retentionHours ?? FILE_RETENTION_MS / HOUR_MS,
  };
  return { status: 200, body };
};

export const handler = http("getAccount", getAccount);
