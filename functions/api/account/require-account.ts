import type { Account } from "../../domain/accounts/plans.ts";
import { RequestError } from "../../domain/errors.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the account that the middleware loaded
 * @throws RequestError `missing_session` when there is none
 */
export const requireAccount = ({ account }: ApiRequest<unknown>): Account => {
  if (account === undefined) {
    throw new RequestError("missing_session", "The account of this session is closed.");
  }
  return account;
};
