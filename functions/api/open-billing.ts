import { RequestError } from "../domain/errors.ts";
import { http, type Operation } from "./http.ts";
import { ownAccount } from "./own-account.ts";
import { accountPage, paymentsOf } from "./payments.ts";

/** Leads to the owner's page of the payment service: bills, the card, and the end of the subscription. */
export const openBilling: Operation = (context) => async (request) => {
  const payments = paymentsOf(context);
  const { billing } = ownAccount(request);
  if (billing === undefined) {
    throw new RequestError("not_found", "This account has never had a subscription, so there are no bills.");
  }
  return { status: 200, body: { url: await payments.portal(billing, accountPage(request)) } };
};

export const handler = http("openBilling", openBilling);
