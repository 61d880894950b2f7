import { describe, expect, it } from "vitest";
import { requestsPerMonth } from "../../functions/domain/plans.ts";
import { monthOf, quotaExceeded, quotaHeaders } from "../../functions/domain/quotas.ts";

const at = (text: string): number => Date.parse(text);

describe("quotas", () => {
  it("belong to the calendar month of UTC", () => {
    expect(monthOf(at("2026-11-30T23:59:59.999Z"))).toBe("2026-11");
    expect(monthOf(at("2026-12-01T00:00:00Z"))).toBe("2026-12");
    expect(monthOf(at("2026-12-01T00:30:00+01:00"))).toBe("2026-11");
  });

  it("tell the client what is left and until when", () => {
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

  it("come from the plan, unless the account has a number of its own", () => {
    expect(requestsPerMonth({ plan: "free" })).toBe(100);
    expect(requestsPerMonth({ plan: "api" })).toBe(5_000);
    expect(requestsPerMonth({ plan: "enterprise", quota: 70_000 })).toBe(70_000);
    expect(requestsPerMonth({ plan: "free", quota: 0 })).toBe(0);
  });
});
