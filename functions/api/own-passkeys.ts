import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import type { Passkey } from "../domain/sessions.ts";
import { PASSKEYS_MAX } from "../domain/sign-in-limits.ts";
import type { ApiRequest } from "./request.ts";

/**
 * @returns the passkeys of the account, to which one may be added. Those that are added at once may each find room.
 * @throws RequestError `limit_reached`
 */
export const passkeysWithRoom = async (
  { sessions }: Context,
  { accountId }: ApiRequest<unknown>,
): Promise<readonly Passkey[]> => {
  const passkeys = await sessions.passkeysOf(accountId);
  if (passkeys.length >= PASSKEYS_MAX) {
    throw new RequestError("limit_reached", `An account has at most ${PASSKEYS_MAX} passkeys. Remove one first.`);
  }
  return passkeys;
};
