import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stripeBilling } from "../../../functions/adapters/stripe/billing.ts";
import { choosePlan, choosePlanRequest } from "../../../functions/api/billing/choose-plan.ts";
import { openBilling } from "../../../functions/api/billing/open-billing.ts";
import { receiveBillingEvent } from "../../../functions/api/billing/receive-billing-event.ts";
import { BILLING_EVENT_BYTES_MAX } from "../../../functions/domain/accounts/account-limits.ts";
import { planChoiceSchema } from "../../../functions/domain/accounts/account-views.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import {
  type SignedMessage,
  type StripeService,
  type Subscription,
  startStripe,
  subscriptionRecord,
} from "../../support/services/stripe.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

const MONTH_S = 30 * 86_400;
const paidUntil = NOW + MONTH_S * 1_000;

let stripe: StripeService;
let world: World;
let context: Context;
let id: string;
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(() => stripe.close());
beforeEach(async () => {
  world = makeWorld(NOW);
  context = { ...world.context, billing: stripeBilling(stripe.settings, () => world.now) };
  const account = accountRecord();
  id = account.id;
  await context.accounts.createAccount(account);
  stripe.asked.length = 0;
  stripe.subscriptions.clear();
  stripe.down = "no";
  stripe.onLook = async () => {};
});
afterEach(() => world.close());

const account = async (): Promise<Account> => {
  const found = await context.accounts.getAccount(id);
  if (found === undefined) {
    throw new Error("The account does not exist.");
  }
  return found;
};

const signedIn = async <Body>(body: Body) => ({
  ...requestOf(body),
  account: await account(),
  accountId: id,
  baseUrl: "https://files.example",
  now: world.now,
});

const choose = async (plan: string) => {
  const request = await signedIn(choosePlanRequest.parse({ plan }));
  return planChoiceSchema.parse((await choosePlan.run(context)(request)).body);
};

/** Stripe's subscription after Checkout, with the overrides of the test. */
const subscribe = (over: Partial<Subscription> = {}): Subscription => {
  const subscription = subscriptionRecord(id, { current_period_end: paidUntil / 1_000, ...over });
  stripe.subscriptions.set(subscription.id, subscription);
  return subscription;
};

const receive = ({ body, signature }: SignedMessage) =>
  receiveBillingEvent.run(context)({
    ...requestOf(undefined),
    headers: { "stripe-signature": signature },
    stream: () => Readable.from([Buffer.from(body)]),
  });
const happened = (type = "customer.subscription.updated", object: object = { id: "sub_1" }) =>
  receive(stripe.message(type, object));

describe("a paid plan", () => {
  test("is bought at Checkout, and the subscription stores the account", async () => {
    const { status, url } = await choose("api");
    expect([status, url]).toEqual(["payment", expect.stringContaining("/checkout/sessions/")]);
    expect(stripe.asked).toEqual([
      {
        path: "/v1/checkout/sessions",
        form: {
          mode: "subscription",
          "line_items[0][price]": "price_29eur",
          "line_items[0][quantity]": "1",
          client_reference_id: id,
          customer_email: (await account()).email,
          "metadata[account_id]": id,
          "subscription_data[metadata][account_id]": id,
          success_url: "https://files.example/account?paid=1",
          cancel_url: "https://files.example/account",
        },
      },
    ]);
    expect(await account()).toMatchObject({ plan: "free", planPicked: true });
  });

  test("has one payment page per day for repeated requests, so it is not paid twice", async () => {
    const [first, again] = [await choose("api"), await choose("api")];
    expect(again.url).toBe(first.url);
    world.now += 86_400_000;
    expect((await choose("api")).url).not.toBe(first.url);
  });

  test.each([
    ["checkout.session.completed", { id: "cs_1", subscription: "sub_1" }],
    ["checkout.session.completed", { id: "cs_1", subscription: { id: "sub_1" } }],
    ["customer.subscription.created", { id: "sub_1" }],
    ["customer.subscription.updated", { id: "sub_1" }],
    ["invoice.paid", { id: "in_1", parent: { subscription_details: { subscription: "sub_1" } } }],
    ["invoice.paid", { id: "in_1", subscription: "sub_1" }],
  ])("is active after %s with %j", async (type, object) => {
    subscribe();
    expect(await happened(type, object)).toEqual({ status: 204 });
    expect(await account()).toMatchObject({
      plan: "api",
      planPicked: true,
      billing: { customerId: "cus_1", subscriptionId: "sub_1", status: "active", paidUntil },
    });
  });

  test("is not sold twice to the same account, which gets the billing page instead", async () => {
    subscribe();
    await happened();
    expect(await choose("api")).toEqual({ status: "active", url: null });
    const { body } = await openBilling.run(context)(await signedIn(undefined));
    expect(body).toEqual({ url: expect.stringContaining("/billing_portal/sessions/") });
    expect(stripe.asked.at(-1)?.form).toEqual({ customer: "cus_1", return_url: "https://files.example/account" });
  });

  test("is canceled in the portal, and remains active to the end of the paid period", async () => {
    subscribe();
    await happened();
    expect(await choose("free")).toEqual({ status: "payment", url: expect.stringContaining("/billing_portal/") });
    subscribe({ cancel_at_period_end: true });
    await happened();
    expect(await account()).toMatchObject({ plan: "api", billing: { status: "active", endsThen: true, paidUntil } });
    subscribe({ status: "canceled", ended_at: paidUntil / 1_000 });
    await happened("customer.subscription.deleted");
    expect(await account()).toMatchObject({ plan: "free", billing: { status: "ended", paidUntil } });
    expect((await account()).billing?.endsThen).toBeUndefined();
  });

  test("ends at its scheduled time", async () => {
    subscribe({ cancel_at: NOW / 1_000 + 60 });
    await happened();
    expect((await account()).billing).toMatchObject({ endsThen: true, paidUntil: NOW + 60_000 });
  });

  test("remains active while a failed payment is retried, and ends when Stripe gives up", async () => {
    subscribe();
    await happened();
    subscribe({ status: "past_due" });
    await happened("invoice.payment_failed", { parent: { subscription_details: { subscription: "sub_1" } } });
    expect(await account()).toMatchObject({ plan: "api", billing: { status: "past_due" } });
    subscribe();
    await happened("invoice.paid", { parent: { subscription_details: { subscription: "sub_1" } } });
    expect(await account()).toMatchObject({ plan: "api", billing: { status: "active" } });
    subscribe({ status: "unpaid" });
    await happened();
    expect(await account()).toMatchObject({ plan: "free", billing: { status: "ended" } });
  });

  test.each([
    ["trialing", "api"],
    ["incomplete", "free"],
    ["incomplete_expired", "free"],
    ["paused", "free"],
    ["something_new", "free"],
  ])("with subscription status %s sets the plan to %s", async (status, plan) => {
    subscribe({ status });
    await happened();
    expect((await account()).plan).toBe(plan);
  });

  test("can be bought again by the same customer after it ends", async () => {
    subscribe({ status: "canceled", ended_at: NOW / 1_000 });
    await happened();
    expect((await choose("api")).status).toBe("payment");
    expect(stripe.asked.at(-1)?.form).toMatchObject({ customer: "cus_1" });
    expect(stripe.asked.at(-1)?.form.customer_email).toBeUndefined();
  });
});

describe("a payment webhook", () => {
  test("changes nothing when it is delivered twice, late or out of order", async () => {
    subscribe();
    const first = stripe.message("customer.subscription.created", { id: "sub_1", status: "incomplete" }, "evt_1");
    const last = stripe.message("customer.subscription.deleted", { id: "sub_1" }, "evt_2");
    await receive(first);
    await receive(first);
    expect((await account()).plan).toBe("api");
    subscribe({ status: "canceled", ended_at: NOW / 1_000 });
    await receive(last);
    await receive(first);
    expect(await account()).toMatchObject({ plan: "free", billing: { status: "ended" } });
  });

  test("processed concurrently with another one leaves the latest state", async () => {
    subscribe();
    let looks = 0;
    stripe.onLook = async () => {
      looks += 1;
      if (looks === 1) {
        // The subscription ends during the first request, and the webhook for that arrives immediately.
        const canceled = subscribe({ status: "canceled", ended_at: NOW / 1_000 });
        await happened("customer.subscription.deleted");
        stripe.subscriptions.set("sub_1", { ...canceled, status: "active", ended_at: null });
      } else if (looks > 2) {
        subscribe({ status: "canceled", ended_at: NOW / 1_000 });
      }
    };
    await happened();
    expect(await account()).toMatchObject({ plan: "free", billing: { status: "ended" } });
  });

  test("for an old subscription does not end the paid one", async () => {
    subscribe({ id: "sub_2" });
    await happened(undefined, { id: "sub_2" });
    subscribe({ status: "canceled", ended_at: NOW / 1_000 });
    await happened();
    expect(await account()).toMatchObject({ plan: "api", billing: { subscriptionId: "sub_2", status: "active" } });
  });

  test("never changes the plan of an enterprise account", async () => {
    await context.accounts.setPlan(id, "enterprise", 70_000);
    subscribe();
    await happened();
    expect(await account()).toMatchObject({ plan: "enterprise", quota: 70_000, billing: { status: "active" } });
    subscribe({ status: "canceled", ended_at: NOW / 1_000 });
    await happened();
    expect(await account()).toMatchObject({ plan: "enterprise", quota: 70_000, billing: { status: "ended" } });
  });

  test("delivered again does not undo a later change by the operator", async () => {
    subscribe({ status: "canceled", ended_at: NOW / 1_000 });
    await happened();
    await context.accounts.setPlan(id, "api", 9_000);
    await happened();
    expect(await account()).toMatchObject({ plan: "api", quota: 9_000 });
  });

  test.each([
    ["with another signature", (message: SignedMessage) => ({ ...message, signature: "t=1,v1=abc" })],
    ["without a signature", (message: SignedMessage) => ({ ...message, signature: "" })],
    [
      "with a changed body",
      ({ body, signature }: SignedMessage) => ({ body: body.replace("sub_1", "sub_2"), signature }),
    ],
  ])("%s is rejected, and sends no request to Stripe", async (_name, change) => {
    subscribe();
    const message = stripe.message("customer.subscription.updated", { id: "sub_1" });
    await expect(receive(change(message))).rejects.toMatchObject({ code: "invalid_request" });
    expect(stripe.asked).toEqual([]);
    expect((await account()).plan).toBe("free");
  });

  test("is an internal error without a secret, because anyone could sign it", async () => {
    const open = { ...stripe.settings, webhookSecret: "" };
    context = { ...context, billing: stripeBilling(open, () => world.now) };
    await expect(happened()).rejects.toMatchObject({ message: "ANYFORM_STRIPE_WEBHOOK_SECRET is not set." });
  });

  test("with an old signature is rejected, to prevent replays", async () => {
    const old = stripe.message("customer.subscription.updated", { id: "sub_1" }, "evt_1", Date.now() - 3_600_000);
    await expect(receive(old)).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("that is too large is rejected", async () => {
    const long = stripe.message("customer.subscription.updated", { id: "x".repeat(BILLING_EVENT_BYTES_MAX) });
    await expect(receive(long)).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test.each([
    ["charge.refunded", { id: "ch_1" }],
    ["checkout.session.completed", { id: "cs_1", subscription: null }],
    ["invoice.paid", { id: "in_1", parent: null }],
    ["constructor", { id: "sub_1" }],
  ])("of another type (%s, %j) is accepted and changes nothing", async (type, object) => {
    subscribe();
    expect(await happened(type, object)).toEqual({ status: 204 });
    expect(stripe.asked).toEqual([]);
  });

  test.each([
    ["that does not exist", undefined],
    ["that is not from this service", { metadata: {} }],
    ["of an account that does not exist", { metadata: { account_id: "acc_none" } }],
  ])("for a subscription %s is accepted and changes nothing", async (_name, over) => {
    if (over !== undefined) {
      subscribe(over);
    }
    expect(await happened()).toEqual({ status: 204 });
    expect((await account()).billing).toBeUndefined();
  });

  test.each(["disconnected", "overloaded"] as const)("is retried without loss if Stripe is %s", async (down) => {
    subscribe();
    const message = stripe.message("customer.subscription.created", { id: "sub_1" });
    stripe.down = down;
    await expect(receive(message)).rejects.toMatchObject({
      code: "temporarily_unavailable",
      extra: { headers: { "retry-after": "30" } },
    });
    await expect(choose("api")).rejects.toMatchObject({ code: "temporarily_unavailable" });
    stripe.down = "no";
    await receive(message);
    expect((await account()).plan).toBe("api");
  });

  test("with a key that Stripe rejects is an internal error that does not contain the key", async () => {
    const wrong = { ...stripe.settings, secretKey: "sk_test_wrong" };
    context = { ...context, billing: stripeBilling(wrong, () => world.now) };
    subscribe();
    const error: unknown = await happened().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "StripeRefusal", message: "Stripe refused: StripeAuthenticationError (401)" });
    expect(JSON.stringify(error)).not.toContain("sk_test");
  });
});

describe("without a payment provider", () => {
  beforeEach(() => {
    const { billing: _, ...without } = context;
    context = without;
  });

  test("the billing page and webhooks are not enabled", async () => {
    const request = await signedIn(undefined);
    await expect(openBilling.run(context)(request)).rejects.toMatchObject({ code: "not_offered" });
    await expect(happened()).rejects.toMatchObject({ code: "not_offered" });
  });
});

test("an account that has never paid has no billing page", async () => {
  const request = await signedIn(undefined);
  await expect(openBilling.run(context)(request)).rejects.toMatchObject({ code: "not_found" });
});
