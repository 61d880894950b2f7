import { RequestError } from "../domain/errors.ts";
import { http, type Operation } from "./http.ts";
import { param } from "./request.ts";

/** Removes a passkey of the account: nobody signs in by it any more. Sessions that it has begun go on. */
export const deletePasskey: Operation = (context) => async (request) => {
  const id = param(request, "id");
  const passkeys = await context.sessions.passkeysOf(request.accountId);
  if (!passkeys.some((each) => each.id === id)) {
    throw new RequestError("not_found", `There is no passkey ${id.slice(0, 100)}.`);
  }
  await context.sessions.removePasskey(id);
  return { status: 204 };
};

export const handler = http("deletePasskey", deletePasskey);
