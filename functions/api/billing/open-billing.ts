import { RequestError } from "../../domain/errors.ts";
import { requireAccount } from "../account/require-account.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { accountPage, paymentsOf } from "./payments.ts";

/** Returns the owner's page at the payment service: invoices, payment method, and cancellation. */
export const openBilling = operation({
  id: "openBilling",
  methods: ["POST"],
  path: "/api/v1/session/billing",
  auth: "session",
  area: "billing",
  permissions: { tables: keyed, only: signedIn(), pays: true },
  tag: "Account",
  summary: "Open the billing portal",
  description:
    "Returns the URL of the payment service's page with invoices, the payment method, and cancellation. The URL expires after a few minutes.",
  answers: { 200: { description: "The billing portal.", examples: ["billingPage"] } },
  errors: ["not_found", "not_offered"],
  examples: () => ({
    billingPage: example("BillingPage", "The billing portal", { url: "https://billing.stripe.com/p/session/bps_1" }),
  }),
  run: (context) => async (request) => {
    const payments = paymentsOf(context);
    const { billing } = requireAccount(request);
    if (billing === undefined) {
      throw new RequestError("not_found", "This account has never had a subscription, so it has no invoices.");
    }
    return { status: 200, body: { url: await payments.portal(billing, accountPage(request)) } };
  },
});
