import { KEY_OVERLAP_HOURS_DEFAULT } from "../domain/account-limits.ts";
import { issueKey } from "../domain/accounts.ts";
import { RequestError } from "../domain/errors.ts";
import type { NewKeyView } from "../domain/key-views.ts";
import { type ApiKey, isTestKey } from "../domain/keys.ts";
import type { Context } from "../domain/ports.ts";
import { HOUR_MS, timestamp } from "../domain/times.ts";
import { http, type Operation } from "./http.ts";
import { type RotateKeyRequest, rotateKeyRequest } from "./key-request.ts";
import { keyView } from "./key-view.ts";
import { checkRoom, ownKey } from "./own-key.ts";
import type { ApiRequest } from "./request.ts";

/** Makes a key that is like this one, and lets this one expire once programs have had time to change over. */
export const rotateKey: Operation<RotateKeyRequest> = (context) => async (request) => {
  const { overlap_hours: hours = KEY_OVERLAP_HOURS_DEFAULT } = request.body;
  const old = replaceable(await ownKey(context, request), request.now);
  if (hours > 0) {
    await checkRoom(context, request);
  }
  const { key, record } = await issueKey(context, {
    accountId: old.accountId,
    name: old.name,
    kind: isTestKey(old) ? "test" : "live",
    ...(old.scopes && { scopes: old.scopes }),
    ...(old.expiresAt !== undefined && { expiresAt: old.expiresAt }),
  });
  await retire(context, request, { hash: old.hash, hours });
  const view: NewKeyView = { key, ...keyView(record) };
  return { status: 201, body: view };
};

const replaceable = (key: ApiKey, now: number): ApiKey => {
  if (key.revokedAt !== undefined) {
    throw new RequestError("not_found", `The key ${key.id} has been revoked.`);
  }
  if (key.expiresAt !== undefined && key.expiresAt <= now) {
    throw new RequestError("expired", `The key ${key.id} expired at ${timestamp(key.expiresAt)}.`);
  }
  return key;
};

const retire = async (
  { accounts }: Context,
  { now }: ApiRequest<unknown>,
  { hash, hours }: { readonly hash: string; readonly hours: number },
): Promise<void> => {
  if (hours === 0) {
    await accounts.revokeKey(hash, now);
    return;
  }
  await accounts.expireKey(hash, now + hours * HOUR_MS);
};

export const handler = http("rotateKey", rotateKey, rotateKeyRequest);
