import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlanChoiceView } from "../../functions/domain/accounts/account-views.ts";
import type { SessionView } from "../../functions/domain/sessions/session-views.ts";
import { type ApiClient, apiClient, type Problem } from "../support/services/client.ts";
import { type LocalService, type NewAccount, startLocalService } from "../support/services/local-service.ts";
import { type Operator, startOperator } from "../support/services/operator.ts";
import { type StripeService, startStripe, subscriptionRecord } from "../support/services/stripe.ts";

/** A payment over HTTP on one machine, with the Stripe simulator in test/support/services/stripe.ts. */

let stripe: StripeService;
let service: LocalService;
let operator: Operator;
let account: NewAccount;
let client: ApiClient;
let headers: Record<string, string>;

beforeAll(async () => {
  stripe = await startStripe();
  const { secretKey, webhookSecret, price, api = "" } = stripe.settings;
  service = await startLocalService({
    env: {
      ANYFORM_STRIPE_SECRET_KEY: secretKey,
      ANYFORM_STRIPE_WEBHOOK_SECRET: webhookSecret,
      ANYFORM_STRIPE_PRICE: price,
      ANYFORM_STRIPE_API: api,
    },
  });
  operator = startOperator("local", { DATA_DIR: service.dataDir });
  account = await operator.accounts<NewAccount>(["create", "--email", "a@example.com", "--plan", "free"]);
  headers = { ...(await operator.signIn(account.account_id, service.url)), "content-type": "application/json" };
  client = await apiClient(service.url);
});
afterAll(async () => {
  await operator?.stop();
  await service?.stop();
  await service?.erase();
  await stripe?.close();
});

const session = async () => (await client.call<SessionView>("/api/v1/session", { headers })).body;
const pick = (plan: string) =>
  client.call<PlanChoiceView>("/api/v1/session/plan", { method: "POST", headers, body: JSON.stringify({ plan }) });
const send = (body: string, signature: string) =>
  client.call<Problem | undefined>("/api/v1/session/billing/events", {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body,
  });

describe("a payment", () => {
  it("is enabled, made at Checkout, and confirmed by a webhook signed over its exact bytes", async () => {
    expect((await session()).offers.payments).toBe(true);
    const picked = await pick("api");
    expect(picked.body).toEqual({ status: "payment", url: expect.stringContaining("https://stripe.example/checkout") });
    expect((await session()).account).toMatchObject({ plan: "free", plan_picked: true });
    stripe.subscriptions.set("sub_1", subscriptionRecord(account.account_id));
    const { body, signature } = stripe.message("customer.subscription.created", {
      id: "sub_1",
      description: "Größe €",
    });
    expect((await send(body, signature)).status).toBe(204);
    expect((await session()).account).toMatchObject({ plan: "api", billing: { status: "active", ends_then: false } });
  });

  it("is not confirmed by a webhook with a forged signature", async () => {
    const { body, signature } = stripe.message("customer.subscription.updated", { id: "sub_1" });
    const changed = await send(`${body} `, signature);
    expect([changed.status, changed.body?.code]).toEqual([400, "invalid_request"]);
  });

  it("returns an error while Stripe is unavailable, so that Stripe retries", async () => {
    stripe.subscriptions.set("sub_1", subscriptionRecord(account.account_id, { status: "canceled", ended_at: 1 }));
    const { body, signature } = stripe.message("customer.subscription.deleted", { id: "sub_1" });
    stripe.down = "overloaded";
    const refused = await send(body, signature);
    expect([refused.status, refused.body?.code, refused.headers.get("retry-after")]).toEqual([
      503,
      "temporarily_unavailable",
      "30",
    ]);
    stripe.down = "no";
    expect((await session()).account?.plan).toBe("api");
    expect((await send(body, signature)).status).toBe(204);
    expect((await session()).account).toMatchObject({ plan: "free", billing: { status: "ended" } });
  });

  it("has its invoices in the portal", async () => {
    const { status, body } = await client.call("/api/v1/session/billing", { method: "POST", headers });
    expect([status, body]).toEqual([200, { url: expect.stringContaining("https://stripe.example/billing_portal") }]);
  });
});
