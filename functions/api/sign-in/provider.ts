import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { type IdentityProvider, IdentityRefused, IdentityUnavailable } from "../../domain/sessions/identity.ts";
import { asError, logger } from "../../logger.ts";
import { type ApiRequest, requestKeys } from "../request.ts";

/** @throws RequestError `not_offered` */
export const providerOf = ({ identity }: Pick<Context, "identity">): IdentityProvider => {
  if (identity === undefined) {
    throw new RequestError("not_offered", "This server has no identity provider. Sign in with an emailed code.");
  }
  return identity;
};

/** @throws RequestError `identity_refused` or `temporarily_unavailable`; the log has the reason for the operator */
export const fromProvider = async <T>(request: ApiRequest<unknown>, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof IdentityRefused || error instanceof IdentityUnavailable) {
      const code = error instanceof IdentityRefused ? "identity_refused" : "temporarily_unavailable";
      logger.warn("identity provider sign-in failed", {
        ...requestKeys(request),
        error: asError(error.cause ?? error),
      });
      throw new RequestError(code, error.message);
    }
    throw error;
  }
};
