import { quotaNotice, thresholdOf } from "../../domain/accounts/quota-notices.ts";
import { asError, logger } from "../../logger.ts";
import { type Exchange, requestKeys } from "../request.ts";

/** Notices that this process has added, or found added; the oldest are forgotten first. */
const added = new Set<string>();
const ADDED_MAX = 10_000;

/**
 * Adds the notice about the account's usage if it has reached a threshold. Below 80 % it does nothing, and above it writes
 * once per month, threshold and process; the worker finds the notice. A failure never affects the request: the next one
 * tries again.
 *
 * @param used the requests counted so far
 */
export const noteQuota = async ({ context, request }: Exchange, used: number): Promise<void> => {
  const { account, claim, now } = request;
  if (account === undefined || claim === undefined || thresholdOf(used, claim.limit) === undefined) {
    return;
  }
  const notice = quotaNotice(account, claim, { used, now });
  if (notice === undefined || added.has(notice.id)) {
    return;
  }
  // Concurrent requests need not try as well.
  remember(notice.id);
  try {
    await context.webhooks.create(notice);
  } catch (error) {
    added.delete(notice.id);
    logger.warn("quota notice was not added", { ...requestKeys(request), error: asError(error) });
  }
};

const remember = (id: string): void => {
  added.add(id);
  const [oldest] = added;
  if (added.size > ADDED_MAX && oldest !== undefined) {
    added.delete(oldest);
  }
};
