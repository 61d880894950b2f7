import * as z from "zod/mini";
import type { AccountChanges } from "../../domain/accounts/plans.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RETENTION_HOURS_MAX } from "../../domain/limits.ts";
import { webhookUrl } from "../conversion/conversion-request.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { ownerView } from "../sign-in/session-view.ts";
import { requireAccount } from "./require-account.ts";

export const updateAccountRequest = z.strictObject({
  webhook_url: z.optional(
    z.nullable(described(webhookUrl(), "The webhook URL of jobs that do not set one. Null: none.")),
  ),
  quota_mails: z.optional(
    described(z.boolean(), "Whether to send emails when 80 % and 100 % of the monthly quota are used. Default: true."),
  ),
  retention_hours: z.optional(
    described(
      z.int().check(z.minimum(0), z.maximum(RETENTION_HOURS_MAX)),
      "Hours to keep files after their job has ended. 0: until the first download. Applies to new jobs.",
    ),
  ),
});

/** Changes the settings of all new jobs of the account; missing fields stay unchanged. */
export const updateAccount = operation({
  id: "updateAccount",
  methods: ["POST"],
  path: "/api/v1/session/account",
  auth: "session",
  area: "integration",
  permissions: { tables: keyed, only: signedIn("quotaMails", "retentionHours", "webhookUrl") },
  tag: "Account",
  summary: "Update account settings",
  description:
    "Updates the default webhook URL, the file retention and the emails about the quota. Applies to new jobs. Missing fields stay unchanged.",
  requests: ["accountChanges"],
  answers: { 200: { description: "The updated account.", examples: ["owner"] } },
  examples: ({ owner }) => ({
    accountChanges: example("AccountChanges", "Delete files on first download", { retention_hours: 0 }),
    owner: example("Owner", "An account with a subscription", ownerView(owner)),
  }),
  schemas: () => ({ AccountChanges: updateAccountRequest }),
  body: updateAccountRequest,
  run: (context) => async (request) => {
    const { webhook_url, retention_hours, quota_mails } = request.body;
    const changes: AccountChanges = {
      ...(webhook_url !== undefined && { webhookUrl: webhook_url }),
      ...(retention_hours !== undefined && { retentionHours: retention_hours }),
      ...(quota_mails !== undefined && { quotaMails: quota_mails }),
    };
    await context.accounts.change(request.accountId, changes);
    const account = (await context.accounts.getAccount(request.accountId)) ?? requireAccount(request);
    return { status: 200, body: ownerView(account) };
  },
});
