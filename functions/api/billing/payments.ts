import type { BillingService } from "../../domain/accounts/account-ports.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the payment service
 * @throws RequestError `not_offered` when the operator has not configured one
 */
export const paymentsOf = ({ billing }: Context): BillingService => {
  if (billing === undefined) {
    throw new RequestError(
      "not_offered",
      "Payments are not enabled on this server. Request a plan from the operator instead.",
    );
  }
  return billing;
};

/** @returns the return URL for the payment service: the account page of the dashboard */
export const accountPage = ({ baseUrl }: ApiRequest<unknown>): string => `${baseUrl}/account`;
