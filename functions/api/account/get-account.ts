import type { AccountView } from "../../domain/accounts/account-views.ts";
import { plans, requestsPerMonth, shownRequests } from "../../domain/accounts/plans.ts";
import { monthOf, quotaReset } from "../../domain/accounts/quotas.ts";
import { RequestError } from "../../domain/errors.ts";
import { FILE_RETENTION_MS } from "../../domain/limits.ts";
import { HOUR_MS, timestamp } from "../../domain/times.ts";
import { example, operation } from "../operation.ts";
import { metered, useOnly } from "../permissions.ts";

/** Returns the plan, the quota, and this month's usage. */
export const getAccount = operation({
  id: "getAccount",
  methods: ["GET"],
  path: "/api/v1/account",
  auth: "key",
  area: "usage",
  visitors: true,
  scope: "read",
  memoryMegabytes: 256,
  permissions: { tables: metered, only: useOnly },
  tag: "Account",
  summary: "Retrieve the account",
  description: "Returns the account's plan, its quota, and the usage in the current UTC month.",
  answers: { 200: { description: "The account.", examples: ["account"] } },
  examples: ({ accountId }) => ({
    account: example("Account", "An account on the `api` plan", {
      id: accountId,
      plan: "api",
      quota: {
        limit: 5_000,
        used: 128,
        remaining: 4_872,
        resets_at: "2026-12-01T00:00:00.000Z",
        requests_per_second: 20,
      },
      retention_hours: 24,
    } satisfies AccountView),
  }),
  run: (context) => async (request) => {
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
        limit: shownRequests(limit),
        used,
        remaining: shownRequests(limit) === null ? null : Math.max(0, limit - used),
        resets_at: timestamp(quotaReset(request.now)),
        requests_per_second: plans[account.plan].requestsPerSecond ?? null,
      },
      retention_hours: account.retentionHours ?? FILE_RETENTION_MS / HOUR_MS,
    };
    return { status: 200, body };
  },
});
