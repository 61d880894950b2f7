import * as z from "zod/mini";
import { type Account, planIds, requestsPerMonth, shownRequests } from "../accounts/plans.ts";
import { described } from "../conversions/options/described.ts";
import { count, flag, id, next, orNull, text, time } from "../fields.ts";
import { timestamp } from "../times.ts";

/** What operators see, as the API returns it. */

const plan = (description: string) => described(z.enum(planIds), description);

const lane = z.strictObject({
  lane: text("The lane."),
  waiting: count("Jobs that wait for a converter."),
  active: count("Jobs that are being converted, or are tried again later."),
  dead: orNull(count("Messages that could not be processed. Null: see the alarm for dead letters.")),
  oldest_ms: orNull(count("Age of the oldest waiting job. Null: see the metrics of the queue.")),
});

const failure = z.strictObject({
  engine: text("The engine."),
  failed: count("Conversions that failed because of the service, over 90 days."),
  example: orNull(
    described(
      z.strictObject({
        job_id: id("job", "The job."),
        account_id: id("acc", "Its account."),
        source_format: text("The format of the file."),
        target_format: text("The requested format."),
        code: text("The error code."),
        detail: text("The message of the error."),
        at: time("When it failed."),
      }),
      "The last failure. Null: none is stored.",
    ),
  ),
});

export const operatorOverviewSchema = described(
  z.strictObject({
    version: text("The version of the service."),
    lanes: described(z.array(lane), "The queue of each lane."),
    disk: orNull(
      described(
        z.strictObject({ free_bytes: count("Free bytes."), total_bytes: count("All bytes.") }),
        "The disk with the data. Null: its space is not limited.",
      ),
    ),
    retention: described(
      z.strictObject({
        files_hours: count("Hours that files are kept after their job, unless the account sets less."),
        records_days: count("Days that jobs are listed."),
      }),
      "How long data is kept.",
    ),
    failures: described(z.array(failure), "The engines that failed, most failures first."),
    engines: described(z.record(z.string(), z.string()), "The engines and their versions."),
    settings: described(z.record(z.string(), z.string()), "The settings in force, without secrets."),
  }),
  "The state of a deployment, for its operators.",
);

export type OperatorOverviewView = z.output<typeof operatorOverviewSchema>;

export const operatedAccountSchema = described(
  z.strictObject({
    id: id("acc", "Account ID."),
    email: text("The email address."),
    plan: plan("The plan."),
    requests_per_month: orNull(count("The monthly quota. Null: unlimited.")),
    used: count("Requests of this month."),
    requested_plan: orNull(
      described(
        z.strictObject({
          plan: plan("The requested plan."),
          at: time("When it was requested."),
          note: orNull(text("The owner's message.")),
        }),
        "A plan that the owner has requested. Null: none.",
      ),
    ),
    billing_status: orNull(text("The status of the subscription. Null: there is none.")),
    is_operator: flag("Whether its owner operates the deployment."),
    created_at: time("When the account was created."),
  }),
  "An account, as shown to operators.",
);

export const operatedAccountListSchema = described(
  z.strictObject({ accounts: described(z.array(operatedAccountSchema), "The accounts."), next: next() }),
  "A page of accounts.",
);

export type OperatedAccountView = z.output<typeof operatedAccountSchema>;

/** @param used requests of this month */
export const operatedAccountView = (
  account: Account,
  { used, isOperator }: { readonly used: number; readonly isOperator: boolean },
): OperatedAccountView => ({
  id: account.id,
  email: account.email,
  plan: account.plan,
  requests_per_month: shownRequests(requestsPerMonth(account)),
  used,
  requested_plan: account.request
    ? { plan: account.request.plan, at: timestamp(account.request.at), note: account.request.note ?? null }
    : null,
  billing_status: account.billing?.status ?? null,
  is_operator: isOperator,
  created_at: timestamp(account.createdAt),
});
