import type { UseView } from "../../domain/accounts/account-views.ts";
import { requestsPerMonth, shownRequests } from "../../domain/accounts/plans.ts";
import { dayOf, daysOf, type MonthUse, monthOf } from "../../domain/accounts/quotas.ts";
import { example, operation } from "../operation.ts";
import { metered, useOnly } from "../permissions.ts";
import { requestedMonth } from "./requested-month.ts";
import { requireAccount } from "./require-account.ts";

/** Returns what the account used in a month: in total, and per day by operation and outcome of its jobs. */
export const getUsage = operation({
  id: "getUsage",
  methods: ["GET"],
  path: "/api/v1/account/use",
  auth: "key",
  area: "usage",
  scope: "read",
  memoryMegabytes: 256,
  permissions: { tables: metered, only: useOnly },
  tag: "Account",
  summary: "Retrieve usage",
  description:
    "Returns the usage of the account in a UTC month: in total, and per day by operation and outcome of its jobs. Available for the last two years. Test keys are not counted.",
  parameters: ["month"],
  answers: { 200: { description: "The usage of the month.", examples: ["use"] } },
  errors: ["invalid_request"],
  examples: () => ({
    use: example("Use", "The first two days of a month", {
      month: "2026-11",
      limit: 5_000,
      used: 7,
      since: "2026-03",
      days: [
        { date: "2026-11-01", upload: 2, convert: 3, download: 2, completed: 2, failed: 1, cancelled: 0 },
        { date: "2026-11-02", upload: 0, convert: 0, download: 0, completed: 0, failed: 0, cancelled: 0 },
      ],
    } satisfies UseView),
  }),
  run: (context) => async (request) => {
    const { now } = request;
    const account = requireAccount(request);
    const month = requestedMonth(request);
    const use = await context.quotas.useOf(account.id, month);
    const last = month === monthOf(now) ? dayOf(now) : daysOf(month);
    const body: UseView = {
      month,
      limit: shownRequests(requestsPerMonth(account)),
      used: use.used,
      since: monthOf(account.createdAt),
      days: Array.from({ length: last }, (_, index) => dayView(month, index + 1, use)),
    };
    return { status: 200, body };
  },
});

const dayView = (month: string, day: number, { days }: MonthUse): UseView["days"][number] => {
  const counts = days.get(day) ?? {};
  const { upload = 0, convert = 0, download = 0, completed = 0, failed = 0, cancelled = 0 } = counts;
  return { date: `${month}-${String(day).padStart(2, "0")}`, upload, convert, download, completed, failed, cancelled };
};
