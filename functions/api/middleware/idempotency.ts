import { RequestError } from "../../domain/errors.ts";
import { sha256Hex } from "../../domain/ids.ts";
import { IDEMPOTENCY_KEY_CHARACTERS_MAX, IDEMPOTENCY_RETENTION_MS } from "../../domain/limits.ts";
import type { Context, IdempotencyClaim, KeyReplays, Replay } from "../../domain/ports.ts";
import { asError, logger } from "../../logger.ts";
import { type ApiRequest, requestKeys } from "../request.ts";

/**
 * @returns a hash of the request's `Idempotency-Key`, unique per account and operation; undefined without a key
 * @throws RequestError `invalid_request` for a key that is empty or too long
 */
const keyOf = ({ headers, accountId }: ApiRequest<unknown>, operation: string): string | undefined => {
  const key = headers["idempotency-key"];
  if (key === "" || (key?.length ?? 0) > IDEMPOTENCY_KEY_CHARACTERS_MAX) {
    throw new RequestError(
      "invalid_request",
      `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} characters.`,
    );
  }
  return key && sha256Hex(`${accountId}\n${operation}\n${key}`);
};

/**
 * Runs long work, unless another request with the same `Idempotency-Key` is in progress.
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
    const detail = "Another request with this Idempotency-Key is in progress. Try again in a moment.";
    throw new RequestError("idempotency_conflict", detail, { headers: { "retry-after": "1" } });
  }
  try {
    return await work();
  } finally {
    await holds
      .release(key, request.id)
      // The work is done, and the lock expires.
      .catch((error: unknown) =>
        logger.warn("idempotency key was not released", { ...requestKeys(request), error: asError(error) }),
      );
  }
};

/**
 * @param content the content of the request: using the same key with different content is a client error
 * @returns the claim of the `Idempotency-Key`; undefined without the header
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

/** @returns the earlier use of the request's `Idempotency-Key`; undefined when it is new or not set */
export const earlierUse = async (
  store: KeyReplays,
  request: ApiRequest<unknown>,
  operation: string,
): Promise<Replay | undefined> => {
  const key = keyOf(request, operation);
  return key === undefined ? undefined : store.findReplay(key, request.now);
};

/** @throws RequestError `idempotency_mismatch` when the key was first used with a different request */
export const checkReplay = (
  { requestHash }: Pick<Replay, "requestHash">,
  claim: IdempotencyClaim | undefined,
): void => {
  if (requestHash !== claim?.requestHash) {
    throw new RequestError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with a different request in the last 24 hours.",
    );
  }
};
