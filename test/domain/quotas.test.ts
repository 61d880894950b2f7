import { describe, expect, it } from "vitest";
import { requestsPerMonth, shownRequests } from "../../functions/domain/accounts/plans.ts";
import {
  countsExpireAt,
  dayOf,
  endCount,
  monthOf,
  oldestMonth,
  quotaClaim,
  quotaExceeded,
  quotaHeaders,
} from "../../functions/domain/accounts/quotas.ts";

const at = (text: string): number => Date.parse(text);

describe("quotas", () => {
  it("belong to the UTC calendar month", () => {
    expect(monthOf(at("2026-11-30T23:59:59.999Z"))).toBe("2026-11");
    expect(monthOf(at("2026-12-01T00:00:00Z"))).toBe("2026-12");
    expect(monthOf(at("2026-12-01T00:30:00+01:00"))).toBe("2026-11");
  });

  it("report the remaining requests and the reset time", () => {
    const claim = { accountId: "acc_1", month: "2026-12", limit: 100 };
    expect(quotaHeaders(claim, 63, at("2026-12-31T23:00:00Z"))).toEqual({
      "ratelimit-policy": `"month";q=100;w=${31 * 86_400}`,
      ratelimit: '"month";r=37;t=3600',
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "37",
      "x-ratelimit-reset": String(at("2027-01-01T00:00:00Z") / 1_000),
    });
    expect(quotaHeaders(claim, 101, at("2026-12-31T23:00:00Z"))["x-ratelimit-remaining"]).toBe("0");
    expect(quotaExceeded(claim, at("2026-12-31T23:00:00Z")).extra.headers).toEqual({ "retry-after": "3600" });
  });

  it("come from the plan unless the account has its own quota", () => {
    expect(requestsPerMonth({ plan: "free" })).toBe(100);
    expect(requestsPerMonth({ plan: "api" })).toBe(5_000);
    expect(requestsPerMonth({ plan: "enterprise", quota: 70_000 })).toBe(70_000);
    expect(requestsPerMonth({ plan: "free", quota: 0 })).toBe(0);
  });

  it("are not shown for an unlimited account: no number, no header", () => {
    const limit = requestsPerMonth({ plan: "unlimited" });
    expect([shownRequests(limit), shownRequests(5_000)]).toEqual([null, 5_000]);
    expect(quotaHeaders({ limit }, 63, at("2026-12-31T23:00:00Z"))).toEqual({});
  });
});

describe("counts", () => {
  it("belong to the UTC day", () => {
    expect(dayOf(at("2026-11-30T23:59:59.999Z"))).toBe(30);
    expect(dayOf(at("2026-12-01T00:30:00+01:00"))).toBe(30);
    const account = { id: "acc_1", email: "ada@example.com", plan: "free", createdAt: 0 } as const;
    expect(quotaClaim(account, at("2026-02-28T23:59:59Z"), "upload")).toEqual({
      accountId: "acc_1",
      month: "2026-02",
      day: 28,
      kind: "upload",
      limit: 100,
    });
  });

  it("include the end of a job on the day of its end, and no job of a test key", () => {
    const job = { accountId: "acc_1", quotaMonth: "2026-10" };
    const count = { accountId: "acc_1", month: "2026-11", day: 1, kind: "failed" };
    expect(endCount(job, "failed", at("2026-11-01T00:00:00Z"))).toEqual(count);
    expect(endCount({ ...job, quotaMonth: "" }, "failed", at("2026-11-01T00:00:00Z"))).toBeUndefined();
  });

  it.each(["2026-11", "2026-12", "2027-01", "2028-02"])(
    "of %s expire at the same time in both stores, two years after the month",
    (month) => {
      const end = countsExpireAt(month);
      expect(new Date(end).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
      expect(oldestMonth(end - 1)).toBe(month);
      expect(oldestMonth(end) > month).toBe(true);
    },
  );
});
