import { RequestError } from "../domain/errors.ts";
import type { Account } from "../domain/plans.ts";
import type { ApiRequest } from "./request.ts";

/**
 * @returns the account that the middleware has read
 * @throws RequestError `missing_session` where there is none
 */
export const ownAccount = ({ account }: ApiRequest<unknown>): Account => {
  if (account === undefined) {
    throw new RequestError("missing_session", "The account of this session is closed.");
  }
  return account;
};
