import type { Member } from "../../domain/accounts/members.ts";
import { RequestError } from "../../domain/errors.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the member whose session the request has
 * @throws RequestError `missing_session` when there is none
 */
export const requireMember = ({ member }: ApiRequest<unknown>): Member => {
  if (member === undefined) {
    throw new RequestError("missing_session", "Not signed in.");
  }
  return member;
};
