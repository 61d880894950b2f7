import * as z from "zod/mini";
import { count, id, orNull, text, time } from "./fields.ts";
import { scopes } from "./keys.ts";
import { described } from "./options/described.ts";

/** What an account shows of its keys, its use and its plan, as schemas; the rest of the answers is in `views.ts`. */

const keyFields = () => ({
  id: id("key", "Of the key."),
  name: text("What its owner calls it."),
  prefix: text("The first characters of the key, to tell it by."),
  kind: described(z.enum(["live", "test"]), "A `test` key converts small files for real, and is not metered."),
  scopes: described(z.array(z.enum(scopes)), "What the key may do."),
  created_at: time("When it was made."),
  expires_at: orNull(time("Until when it holds; null: until it is revoked.")),
  last_used_at: orNull(time("When it was used last, to the minute; null: never.")),
  revoked_at: orNull(time("Since when it is refused; null: it was not revoked.")),
});

export const keySchema = described(z.strictObject(keyFields()), "An API key, without the key itself.");

export const newKeySchema = described(
  z.strictObject({
    key: text("The key itself. It is shown only here: only its SHA-256 is kept."),
    ...keyFields(),
  }),
  "A new API key.",
);

export const keyListSchema = described(
  z.strictObject({
    keys: described(z.array(keySchema), "The newest first; of those that were revoked or expired, the latest."),
  }),
  "All keys of the account.",
);

export const daySchema = described(
  z.strictObject({
    date: described(z.iso.date(), "The UTC day."),
    upload: count("Uploads that were accepted."),
    convert: count("Conversions that were accepted."),
    download: count("Downloads that were accepted."),
    completed: count("Jobs that were completed on this day."),
    failed: count("Jobs that failed on this day."),
    cancelled: count("Jobs that were cancelled on this day."),
  }),
  "What was used on one day.",
);

export const useSchema = described(
  z.strictObject({
    month: text("The UTC month, `2026-11`."),
    limit: count("Requests that the account may make in a month, as its plan is now."),
    used: count("Requests that were counted in it, less those that were given back."),
    days: described(z.array(daySchema), "Every day of the month, up to today."),
  }),
  "What an account used in a month.",
);

export const planChoiceSchema = described(
  z.strictObject({
    status: described(
      z.enum(["active", "requested", "payment"]),
      "`active`: the plan holds. `requested`: the operator was asked. `payment`: go on at `url`.",
    ),
    url: orNull(text("Where the plan is paid for, or a subscription is ended.")),
  }),
  "What became of a plan that was picked.",
);

export const billingPageSchema = described(
  z.strictObject({ url: text("A page of the payment service that is for the account's owner alone.") }),
  "Where bills are, and where a subscription is ended.",
);

/** Only what leads to the subscription is read of it, once its signature fits. */
export const billingEventSchema = described(
  z.looseObject({
    id: text("Of the message."),
    type: text("What happened, as the payment service calls it."),
    data: described(z.looseObject({}), "What it happened to."),
  }),
  "A message of the payment service.",
);

export type KeyView = z.infer<typeof keySchema>;
export type NewKeyView = z.infer<typeof newKeySchema>;
export type KeyListView = z.infer<typeof keyListSchema>;
export type UseView = z.infer<typeof useSchema>;
export type PlanChoiceView = z.infer<typeof planChoiceSchema>;
