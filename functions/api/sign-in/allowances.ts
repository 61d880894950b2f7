import type { Allowance } from "../../domain/accounts/account-ports.ts";
import { RequestError } from "../../domain/errors.ts";
import { sha256Hex } from "../../domain/ids.ts";
import { networksOf } from "../../domain/networks.ts";
import type { Context } from "../../domain/ports.ts";
import type { ApiRequest } from "../request.ts";

/** A rate limit for an email address or a network. */
interface Allowed {
  /** The name of the counter: `codes/network`. */
  readonly name: string;
  /** The email address or network that is limited. */
  readonly who: string;
  readonly allowance: Allowance;
  /** The error message: `Too many codes requested from your network`. */
  readonly text: string;
}

/**
 * Takes one from the allowance.
 *
 * @throws RequestError `rate_limited` when nothing remains
 */
export const takeAllowance = async (
  { allowances }: Pick<Context, "allowances">,
  { now }: ApiRequest<unknown>,
  { name, who, allowance, text }: Allowed,
): Promise<void> => {
  const left = await allowances.take(sha256Hex(`${name}\n${who}`), allowance, now);
  if (left < 0) {
    const seconds = Math.ceil((allowance.windowMs - (now % allowance.windowMs)) / 1_000);
    throw new RequestError("rate_limited", `${text}. Try again in ${spanOf(seconds)}.`, {
      headers: { "retry-after": String(seconds) },
    });
  }
};

/** The same for the network of the client, and for the larger networks that contain it, which have larger allowances. */
export const takeOfNetwork = async (
  context: Pick<Context, "allowances">,
  request: ApiRequest<unknown>,
  allowed: Omit<Allowed, "who">,
): Promise<void> => {
  const { limit, windowMs } = allowed.allowance;
  for (const { name, shares } of networksOf(request.ip)) {
    await takeAllowance(context, request, { ...allowed, who: name, allowance: { limit: limit * shares, windowMs } });
  }
};

const spanOf = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(minutes / 60);
  return hours > 1 ? `${hours} hours` : minutes === 1 ? "1 minute" : `${minutes} minutes`;
};
