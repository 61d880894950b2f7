import { RequestError } from "../domain/errors.ts";
import { sha256Hex } from "../domain/ids.ts";
import { IDEMPOTENCY_KEY_CHARACTERS_MAX, IDEMPOTENCY_RETENTION_MS } from "../domain/limits.ts";
import type { Context, IdempotencyClaim, KeyReplays, Replay } from "../domain/ports.ts";
import { asError, logger } from "../logger.ts";
import { type ApiRequest, requestKeys } from "./request.ts";

/**
 * @returns what the `Idempotency-Key` of the request is called among all accounts and operations; undefined without one
 * @throws RequestError `invalid_request` for a key that is empty or too long
 */
const keyOf = ({ headers, accountId }: ApiRequest<unknown>, operation: string): string | undefined => {
  const key = headers["idempotency-key"];
  if (key === "" || (key?.length ?? 0) > IDEMPOTENCY_KEY_CHARACTERS_MAX) {
    throw new RequestError(
      "invalid_request",
      `An Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} characters.`,
    );
  }
  return key && sha256Hex(`${accountId}\n${operation}\n${key}`);
};

/**
 * Does work that takes its time, unless a request with the same `Idempotency-Key` is at it.
 *
 * @throws RequestError `idempotency_conflict`
 */
export const onceAtATime = async <T>(
  { holds }: Pick<Context, "holds">,
  request: ApiRequest<unknown>,
  { operation, work }: { readonly operation: string; readonly work: () => Promise<T> },
): Promise<T> => {
  const key = keyOf(request, operation);
  if (key === undefined) {
    return work();
  }
  if (!(await holds.hold(key, request.id, request.now))) {
    const detail = "The first request with this Idempotency-Key is still under way. Send this one again in a moment.";
    throw new RequestError("idempotency_conflict", detail, { headers: { "retry-after": "1" } });
  }
  try {
    return await work();
  } finally {
    await holds
      .release(key, request.id)
      // The work is done, and the hold ends by itself.
      .catch((error: unknown) =>
        logger.warn("a key was not released", { ...requestKeys(request), error: asError(error) }),
      );
  }
};

/**
 * @param content what the request asks for: the same key with another content is a mistake of the client's
 * @returns the claim that the `Idempotency-Key` makes; undefined without the header
 * @throws RequestError `invalid_request` for a key that is empty or too long
 */
export const idempotencyOf = (
  request: ApiRequest<unknown>,
  operation: string,
  content: string,
): IdempotencyClaim | undefined => {
  const key = keyOf(request, operation);
  return key === undefined
    ? undefined
    : { key, requestHash: sha256Hex(content), expiresAt: request.now + IDEMPOTENCY_RETENTION_MS };
};

/** @returns what the `Idempotency-Key` of the request was used for before; undefined: for nothing, or there is none */
export const earlierUse = async (
  store: KeyReplays,
  request: ApiRequest<unknown>,
  operation: string,
): Promise<Replay | undefined> => {
  const key = keyOf(request, operation);
  return key === undefined ? undefined : store.findReplay(key, request.now);
};

/** @throws RequestError `idempotency_mismatch` when the key was first used with another request */
export const checkReplay = (
  { requestHash }: Pick<Replay, "requestHash">,
  claim: IdempotencyClaim | undefined,
): void => {
  if (requestHash !== claim?.requestHash) {
    throw new RequestError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another request in the last 24 hours.",
    );
  }
};
