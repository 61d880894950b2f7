import { RequestError } from "../domain/errors.ts";
import type { UseView } from "../domain/key-views.ts";
import { USE_RETENTION_MONTHS } from "../domain/limits.ts";
import { requestsPerMonth } from "../domain/plans.ts";
import { dayOf, daysOf, type MonthUse, monthBefore, monthOf } from "../domain/quotas.ts";
import { http, type Operation } from "./http.ts";
import { ownAccount } from "./own-account.ts";
import type { ApiRequest } from "./request.ts";

/** Tells what the account used in a month: in all, and on each day by operation and by how its jobs ended. */
export const getUse: Operation = (context) => async (request) => {
  const { now } = request;
  const account = ownAccount(request);
  const month = monthAsked(request);
  const use = await context.quotas.useOf(account.id, month);
  const last = month === monthOf(now) ? dayOf(now) : daysOf(month);
  const body: UseView = {
    month,
    limit: requestsPerMonth(account),
    used: use.used,
    days: Array.from({ length: last }, (_, index) => dayView(month, index + 1, use)),
  };
  return { status: 200, body };
};

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Months of this form sort by age. */
const monthAsked = ({ query, now }: ApiRequest<unknown>): string => {
  const latest = monthOf(now);
  const earliest = monthBefore(latest, USE_RETENTION_MONTHS);
  const { month = latest } = query;
  if (!MONTH.test(month) || month > latest || month < earliest) {
    const detail = `\`month\` is a month from ${earliest} to ${latest}.`;
    throw new RequestError("invalid_request", detail, {
      errors: [{ pointer: "/month", code: "invalid_value", detail }],
    });
  }
  return month;
};

const dayView = (month: string, day: number, { days }: MonthUse): UseView["days"][number] => {
  const counts = days.get(day) ?? {};
  const { upload = 0, convert = 0, download = 0, completed = 0, failed = 0, cancelled = 0 } = counts;
  return { date: `${month}-${String(day).padStart(2, "0")}`, upload, convert, download, completed, failed, cancelled };
};

export const handler = http("getUse", getUse);
