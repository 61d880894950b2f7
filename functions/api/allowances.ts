import type { Allowance } from "../domain/account-ports.ts";
import { RequestError } from "../domain/errors.ts";
import { sha256Hex } from "../domain/ids.ts";
import { networkOf } from "../domain/networks.ts";
import type { Context } from "../domain/ports.ts";
import type { ApiRequest } from "./request.ts";

/** What is allowed so often to one address of mail, or to one network. */
interface Allowed {
  /** What is counted: `codes/network`. */
  readonly name: string;
  /** Who does it. */
  readonly who: string;
  readonly allowance: Allowance;
  /** What there was too much of: `Too many codes were asked for from your network`. */
  readonly text: string;
}

/**
 * Takes one out of the allowance.
 *
 * @throws RequestError `rate_limited` when there is none left
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

/** The same for the network that the request comes from. */
export const takeOfNetwork = (
  context: Pick<Context, "allowances">,
  request: ApiRequest<unknown>,
  allowed: Omit<Allowed, "who">,
): Promise<void> => takeAllowance(context, request, { ...allowed, who: networkOf(request.ip) });

const spanOf = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(minutes / 60);
  return hours > 1 ? `${hours} hours` : minutes === 1 ? "1 minute" : `${minutes} minutes`;
};
