import type { Account } from "../../domain/accounts/plans.ts";
import { RequestError } from "../../domain/errors.ts";
import { isOperator, type Operating } from "../../domain/operators/operating.ts";
import type { Context } from "../../domain/ports.ts";
import { requireAccount } from "../account/require-account.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the signed-in operator and the deployment
 * @throws RequestError `not_found` for everybody else, as for an unknown path
 */
export const requireOperator = (
  { operating }: Context,
  request: ApiRequest<unknown>,
): { readonly account: Account; readonly operating: Operating } => {
  const account = requireAccount(request);
  const { member } = request;
  if (operating === undefined || member === undefined || !isOperator(operating, account, member.email)) {
    throw new RequestError("not_found", "There is nothing here.");
  }
  return { account, operating };
};
