import * as z from "zod/mini";
import { issueKey } from "../../domain/accounts/account.ts";
import { KEY_OVERLAP_HOURS_DEFAULT, KEY_OVERLAP_HOURS_MAX } from "../../domain/accounts/account-limits.ts";
import type { NewKeyView } from "../../domain/accounts/key-views.ts";
import { type ApiKey, isTestKey } from "../../domain/accounts/keys.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { HOUR_MS, timestamp } from "../../domain/times.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { withLimits } from "./key-limits.ts";
import { keyView } from "./key-view.ts";
import { checkRoom, requireKey } from "./require-key.ts";

export const rotateKeyRequest = z.strictObject({
  overlap_hours: z.optional(
    described(
      z.int().check(z.minimum(0), z.maximum(KEY_OVERLAP_HOURS_MAX)),
      `Hours that the old key stays valid. 0: it is revoked immediately. Default: ${KEY_OVERLAP_HOURS_DEFAULT}.`,
    ),
  ),
});

/** Creates a key with the same settings, and expires the old key after programs have had time to change over. */
export const rotateKey = operation({
  id: "rotateKey",
  methods: ["POST"],
  path: "/api/v1/keys/{id}/rotate",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] },
    only: signedIn("expiresAt", "revokedAt"),
    lists: true,
  },
  tag: "Keys",
  summary: "Rotate an API key",
  description:
    "Creates a key with the same name, kind, scopes, expiry and limits; both count toward the same monthly limit. The old key stays valid for the overlap, by default a day, so that programs can change over.",
  parameters: ["apiKeyId"],
  requests: ["rotation"],
  answers: { 201: { description: "The new key.", examples: ["newKey"] } },
  errors: ["not_found", "limit_reached", "expired"],
  examples: () => ({ rotation: example("KeyRotation", "Two days to change over", { overlap_hours: 48 }) }),
  schemas: () => ({ KeyRotation: rotateKeyRequest }),
  body: rotateKeyRequest,
  run: (context) => async (request) => {
    const { overlap_hours: hours = KEY_OVERLAP_HOURS_DEFAULT } = request.body;
    const old = replaceable(await requireKey(context, request), request.now);
    if (hours > 0) {
      await checkRoom(context, request);
    }
    const { key, record } = await issueKey(context, {
      accountId: old.accountId,
      name: old.name,
      kind: isTestKey(old) ? "test" : "live",
      ...(old.scopes && { scopes: old.scopes }),
      ...(old.expiresAt !== undefined && { expiresAt: old.expiresAt }),
      limits: withLimits(old, {}),
      countedAs: old.countedAs ?? old.id,
    });
    await retire(context, request, { hash: old.hash, hours });
    const view: NewKeyView = { key, ...keyView(record) };
    return { status: 201, body: view };
  },
});

const replaceable = (key: ApiKey, now: number): ApiKey => {
  if (key.revokedAt !== undefined) {
    throw new RequestError("not_found", `Key ${key.id} has been revoked.`);
  }
  if (key.expiresAt !== undefined && key.expiresAt <= now) {
    throw new RequestError("expired", `Key ${key.id} expired at ${timestamp(key.expiresAt)}.`);
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
