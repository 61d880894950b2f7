import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import type { Passkey } from "../../domain/sessions/session.ts";
import { PASSKEYS_MAX } from "../../domain/sessions/sign-in-limits.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the passkeys of the account, if one more can be added. Concurrent requests can exceed the limit.
 * @throws RequestError `limit_reached`
 */
export const passkeysWithRoom = async (
  { sessions }: Context,
  { accountId }: ApiRequest<unknown>,
): Promise<readonly Passkey[]> => {
  const passkeys = await sessions.passkeysOf(accountId);
  if (passkeys.length >= PASSKEYS_MAX) {
    throw new RequestError("limit_reached", `An account can have up to ${PASSKEYS_MAX} passkeys. Remove one first.`);
  }
  return passkeys;
};
