import type { NewKeyView, PlanChoiceView, UseView } from "../../domain/key-views.ts";
import { type ApiKey, hashApiKey, newApiKey } from "../../domain/keys.ts";
import { DAY_MS } from "../../domain/times.ts";
import { keyView } from "../key-view.ts";
import { ownerView } from "../session-view.ts";
import { accountId, EXAMPLE_TIME } from "./records.ts";
import type { SchemaName } from "./schemas.ts";

/** Examples of keys, of use and of plans, as examples.ts has them of all else. */

interface Example {
  readonly summary: string;
  readonly schema: SchemaName;
  readonly value: unknown;
}

const key = newApiKey((count) => Uint8Array.from({ length: count }, (_, index) => (index * 29 + 7) % 256));

const stored: ApiKey = {
  id: "key_00GxPqjL0a1b2c3d4e5f6g",
  accountId,
  name: "build server",
  ...hashApiKey(key),
  scopes: ["upload", "convert", "read", "download"],
  createdAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_TIME + 90 * DAY_MS,
};

const newKey: NewKeyView = { key, ...keyView(stored) };

const use: UseView = {
  month: "2026-11",
  limit: 5_000,
  used: 7,
  days: [
    { date: "2026-11-01", upload: 2, convert: 3, download: 2, completed: 2, failed: 1, cancelled: 0 },
    { date: "2026-11-02", upload: 0, convert: 0, download: 0, completed: 0, failed: 0, cancelled: 0 },
  ],
};

const owner = ownerView({
  id: accountId,
  email: "a@example.com",
  plan: "api",
  planPicked: true,
  webhookUrl: "https://example.com/hooks/anyform",
  billing: {
    customerId: "cus_1",
    subscriptionId: "sub_1",
    status: "active",
    paidUntil: EXAMPLE_TIME + 30 * DAY_MS,
    endsThen: false,
  },
  createdAt: EXAMPLE_TIME,
});

const planChoices = {
  payment: { status: "payment", url: "https://checkout.stripe.com/c/pay/cs_1" },
  requested: { status: "requested", url: null },
  active: { status: "active", url: null },
} as const satisfies Record<string, PlanChoiceView>;

/** A function, as the other examples are: nobody else needs them in memory. */
export const keyExamples = () =>
  ({
    use: of("Use", "The first two days of a month", use),
    keyRequest: of("KeyRequest", "A key for one program", {
      name: "build server",
      scopes: ["upload", "convert", "read", "download"],
      expires_at: newKey.expires_at,
    }),
    newKey: of("NewKey", "A key that was just made", newKey),
    keyList: of("KeyList", "One key, which has been used", {
      keys: [keyView({ ...stored, lastUsedAt: EXAMPLE_TIME + DAY_MS })],
    }),
    rotation: of("KeyRotation", "Two days to change over", { overlap_hours: 48 }),
    planChoice: of("PlanChoiceRequest", "A plan that is asked for", {
      plan: "enterprise",
      note: "We need some 200,000 requests a month.",
    }),
    planPayment: of("PlanChoice", "A plan that is to be paid for", planChoices.payment),
    planRequested: of("PlanChoice", "A plan that was asked of the operator", planChoices.requested),
    planActive: of("PlanChoice", "A plan that holds", planChoices.active),
    billingPage: of("BillingPage", "Where bills are", { url: "https://billing.stripe.com/p/session/bps_1" }),
    billingEvent: of("BillingEvent", "A subscription that was renewed", {
      id: "evt_1",
      type: "customer.subscription.updated",
      data: { object: { id: "sub_1" } },
    }),
    accountChanges: of("AccountChanges", "Files that go with their first download", { retention_hours: 0 }),
    owner: of("Owner", "An account as its owner sees it", owner),
  }) as const satisfies Record<string, Example>;

const of = (schema: SchemaName, summary: string, value: unknown): Example => ({ schema, summary, value });
