import { http, type Operation } from "./http.ts";
import { ownKey } from "./own-key.ts";

/** Revokes a key: it is refused from the next request on. One that is revoked already stays so. */
export const deleteKey: Operation = (context) => async (request) => {
  const { hash } = await ownKey(context, request);
  await context.accounts.revokeKey(hash, request.now);
  return { status: 204 };
};

export const handler = http("deleteKey", deleteKey);
