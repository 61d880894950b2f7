import { hasSubscription } from "../domain/billing.ts";
import { cleanText } from "../domain/clean-text.ts";
import type { PlanChoiceView } from "../domain/key-views.ts";
import type { Account, Billing } from "../domain/plans.ts";
import type { Context } from "../domain/ports.ts";
import { type ChoosePlanRequest, choosePlanRequest } from "./account-request.ts";
import { http, type Operation } from "./http.ts";
import { ownAccount } from "./own-account.ts";
import { accountPage, paymentsOf } from "./payments.ts";
import type { ApiRequest } from "./request.ts";

interface Choice {
  readonly context: Context;
  readonly request: ApiRequest<ChoosePlanRequest>;
  readonly account: Account;
}

/** Picks a plan: it holds at once, is paid for first, or is asked of the operator. */
export const choosePlan: Operation<ChoosePlanRequest> = (context) => async (request) => {
  const choice = { context, request, account: ownAccount(request) };
  return { status: 200, body: await choose[request.body.plan](choice) };
};

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
    // Who has agreed on a plan with the operator would pay for one that does not come.
    return context.billing === undefined || account.plan === "enterprise" ? askOperator(choice) : pay(choice);
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
  const asked = { plan: body.plan, at: now, ...(note !== "" && { note }) };
  await context.accounts.change(account.id, { planPicked: true, request: asked });
  return { status: "requested", url: null };
};

/** What is paid for holds to its end. It is the payment service that ends it, or, where there is none any more, the operator. */
const endSubscription = async (choice: Choice, subscription: Billing): Promise<PlanChoiceView> => {
  const { context, request } = choice;
  return context.billing === undefined
    ? askOperator(choice)
    : { status: "payment", url: await context.billing.portal(subscription, accountPage(request)) };
};

/** Who has a subscription that goes on is not sold a second one. */
const pay = async ({ context, request, account }: Choice): Promise<PlanChoiceView> => {
  const payments = paymentsOf(context);
  const page = accountPage(request);
  const url = hasSubscription(account)
    ? await payments.portal(account.billing, page)
    : await payments.checkout(account, page);
  await context.accounts.change(account.id, { planPicked: true, request: null });
  return { status: "payment", url };
};

export const handler = http("choosePlan", choosePlan, choosePlanRequest);
