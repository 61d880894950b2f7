import * as z from "zod/mini";
import { PLAN_NOTE_CHARACTERS_MAX } from "../../domain/accounts/account-limits.ts";
import type { PlanChoiceView } from "../../domain/accounts/account-views.ts";
import { hasSubscription } from "../../domain/accounts/billing.ts";
import { type Account, type Billing, isSetByOperator } from "../../domain/accounts/plans.ts";
import { cleanText } from "../../domain/clean-text.ts";
import { described } from "../../domain/conversions/options/described.ts";
import type { Context } from "../../domain/ports.ts";
import { requireAccount } from "../account/require-account.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { accountPage, paymentsOf } from "./payments.ts";

interface Choice {
  readonly context: Context;
  readonly request: ApiRequest<ChoosePlanRequest>;
  readonly account: Account;
}

export const choosePlanRequest = z.strictObject({
  plan: described(z.enum(["free", "api", "enterprise"]), "The plan to pick."),
  note: z.optional(
    described(
      z.string().check(z.maxLength(PLAN_NOTE_CHARACTERS_MAX)),
      "A note for the operator, such as the number of requests per month.",
    ),
  ),
});

type ChoosePlanRequest = z.infer<typeof choosePlanRequest>;

/** Picks a plan: it is active immediately, is paid for first, or is requested from the operator. */
export const choosePlan = operation({
  id: "choosePlan",
  methods: ["POST"],
  path: "/api/v1/session/plan",
  auth: "session",
  area: "billing",
  permissions: { tables: keyed, only: signedIn("plan", "planPicked", "quota", "request"), pays: true },
  tag: "Account",
  summary: "Pick a plan",
  description:
    "Picks a plan. `free` is active immediately. `api` is paid for at `url` if this server takes payments, and otherwise requested from the operator. `enterprise` is always requested. To downgrade from a subscription, cancel it at `url`; it stays active until the end of the paid period.",
  requests: ["planChoice"],
  answers: {
    200: { description: "The outcome.", examples: ["planPayment", "planRequested", "planActive"] },
  },
  examples: () => ({
    planChoice: example("PlanChoiceRequest", "A plan to request", {
      plan: "enterprise",
      note: "We need some 200,000 requests a month.",
    }),
    planPayment: example("PlanChoice", "A plan to pay for", {
      status: "payment",
      url: "https://checkout.stripe.com/c/pay/cs_1",
    } satisfies PlanChoiceView),
    planRequested: example("PlanChoice", "A requested plan", { status: "requested", url: null }),
    planActive: example("PlanChoice", "An active plan", { status: "active", url: null }),
  }),
  schemas: () => ({ PlanChoiceRequest: choosePlanRequest }),
  body: choosePlanRequest,
  run: (context) => async (request) => {
    const choice = { context, request, account: requireAccount(request) };
    return { status: 200, body: await choose[request.body.plan](choice) };
  },
});

const choose: Readonly<Record<ChoosePlanRequest["plan"], (choice: Choice) => Promise<PlanChoiceView>>> = {
  free: async (choice) => {
    const { context, account } = choice;
    if (hasSubscription(account)) {
      return endSubscription(choice, account.billing);
    }
    if (account.plan !== "free") {
      await context.accounts.setPlan(account.id, "free", undefined);
    }
    return picked(choice);
  },
  api: async (choice) => {
    const { context, account } = choice;
    if (account.plan === "api") {
      return picked(choice);
    }
    // An account with a plan from the operator would pay for a plan that it does not get.
    return context.billing === undefined || isSetByOperator(account.plan) ? askOperator(choice) : pay(choice);
  },
  enterprise: async (choice) => (choice.account.plan === "enterprise" ? picked(choice) : askOperator(choice)),
};

const picked = async ({ context, account }: Choice): Promise<PlanChoiceView> => {
  await context.accounts.change(account.id, { planPicked: true, request: null });
  return { status: "active", url: null };
};

const askOperator = async ({ context, request, account }: Choice): Promise<PlanChoiceView> => {
  const { body, now } = request;
  const note = cleanText(body.note ?? "");
  const requested = { plan: body.plan, at: now, ...(note !== "" && { note }) };
  await context.accounts.change(account.id, { planPicked: true, request: requested });
  return { status: "requested", url: null };
};

/** A paid period runs to its end. The payment service ends the subscription; if it was removed, the operator does. */
const endSubscription = async (choice: Choice, subscription: Billing): Promise<PlanChoiceView> => {
  const { context, request } = choice;
  return context.billing === undefined
    ? askOperator(choice)
    : { status: "payment", url: await context.billing.portal(subscription, accountPage(request)) };
};

/** An account with an active subscription is sent to the portal instead of buying a second one. */
const pay = async ({ context, request, account }: Choice): Promise<PlanChoiceView> => {
  const payments = paymentsOf(context);
  const page = accountPage(request);
  const url = hasSubscription(account)
    ? await payments.portal(account.billing, page)
    : await payments.checkout(account, page);
  await context.accounts.change(account.id, { planPicked: true, request: null });
  return { status: "payment", url };
};
