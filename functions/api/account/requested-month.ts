import { monthBefore, monthOf } from "../../domain/accounts/quotas.ts";
import { USE_RETENTION_MONTHS } from "../../domain/limits.ts";
import { type ApiRequest, invalidValue } from "../request.ts";

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/**
 * Months in this format sort chronologically.
 * @returns the month of the query, or the current one
 * @throws RequestError `invalid_request` for a month whose counts are not kept
 */
export const requestedMonth = ({ query, now }: ApiRequest<unknown>): string => {
  const latest = monthOf(now);
  const earliest = monthBefore(latest, USE_RETENTION_MONTHS);
  const { month = latest } = query;
  if (!MONTH.test(month) || month > latest || month < earliest) {
    throw invalidValue("/month", `\`month\` must be a month from ${earliest} to ${latest}.`);
  }
  return month;
};
