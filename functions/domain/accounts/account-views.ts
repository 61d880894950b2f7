import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { jobErrors } from "../errors/job-errors.ts";
import { codeOf, count, flag, orNull, text, time } from "../fields.ts";
import { planIds } from "./plans.ts";

/** An account's plan and usage as the API returns them: see uploads/upload-views.ts. */

export const accountSchema = described(
  z.strictObject({
    id: text("Account ID."),
    plan: described(z.enum(planIds), "The plan of the account."),
    quota: described(
      z.strictObject({
        limit: orNull(count("Requests per UTC month. Null: unlimited.")),
        used: count("Requests counted this month."),
        remaining: orNull(count("Requests remaining this month. Null: unlimited.")),
        resets_at: time("When the next month starts."),
        requests_per_second: orNull(described(z.int(), "Requests per second. Null: unlimited.")),
      }),
      "The limits of the account and their usage.",
    ),
    retention_hours: described(z.number(), "Hours that files are kept after their job. 0: until the first download."),
  }),
  "The plan, quota and usage of an account.",
);

export const daySchema = described(
  z.strictObject({
    date: described(z.iso.date(), "The UTC day."),
    upload: count("Accepted uploads."),
    convert: count("Accepted conversions."),
    download: count("Accepted downloads."),
    completed: count("Jobs completed on this day."),
    failed: count("Jobs that failed on this day."),
    cancelled: count("Jobs cancelled on this day."),
  }),
  "The usage of one day.",
);

export const useSchema = described(
  z.strictObject({
    month: text("The UTC month: `2026-11`."),
    limit: orNull(count("Requests per month of the current plan. Null: unlimited.")),
    used: count("Requests counted this month, minus refunds."),
    since: text("The UTC month in which the account was created: `2026-03`."),
    days: described(z.array(daySchema), "The days of the month, up to today."),
  }),
  "The usage of an account in one month.",
);

export const useDetailSchema = described(
  z.strictObject({
    date: described(z.iso.date(), "The UTC day on which the jobs ended."),
    key_id: orNull(text("ID of the API key that created the jobs. Null for jobs of the dashboard.")),
    source_format: text("ID of the source format."),
    target_format: text("ID of the target format."),
    status: described(z.enum(["completed", "failed", "cancelled"]), "How the jobs ended."),
    error_code: orNull(codeOf(jobErrors, "The error of the jobs. Null unless they failed.")),
    jobs: count("Number of jobs."),
    bytes_in: count("Bytes of their source files."),
    bytes_out: count("Bytes of their results."),
  }),
  "Jobs that ended on a day, with the same key, formats and outcome.",
);

export const useDetailsSchema = described(
  z.strictObject({
    month: text("The UTC month: `2026-11`."),
    rows: described(z.array(useDetailSchema), "The jobs of the month, at most 20,000 rows."),
    truncated: flag("Whether there are more rows."),
  }),
  "The jobs of a month by day, key, formats and outcome.",
);

export const planChoiceSchema = described(
  z.strictObject({
    status: described(
      z.enum(["active", "requested", "payment"]),
      "`active`: the plan is active. `requested`: the operator was asked. `payment`: continue at `url`.",
    ),
    url: orNull(text("Where to pay for the plan or cancel the subscription.")),
  }),
  "The outcome of picking a plan.",
);

export const billingPageSchema = described(
  z.strictObject({ url: text("A page of the payment service for this account only.") }),
  "Where to see invoices and cancel the subscription.",
);

export type AccountView = z.infer<typeof accountSchema>;
export type UseView = z.infer<typeof useSchema>;
export type UseDetailsView = z.infer<typeof useDetailsSchema>;
export type UseDetailView = z.infer<typeof useDetailSchema>;
export type PlanChoiceView = z.infer<typeof planChoiceSchema>;
