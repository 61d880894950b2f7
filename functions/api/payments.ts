import type { BillingService } from "../domain/account-ports.ts";
import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import type { ApiRequest } from "./request.ts";

/**
 * @returns the payment service
 * @throws RequestError `not_offered` where the operator has set up none
 */
export const paymentsOf = ({ billing }: Context): BillingService => {
  if (billing === undefined) {
    throw new RequestError("not_offered", "No payment service is set up here; plans are asked of the operator.");
  }
  return billing;
};

/** @returns where the payment service leads back to: the page of the dashboard that shows the account */
export const accountPage = ({ baseUrl }: ApiRequest<unknown>): string => `${baseUrl}/account`;
