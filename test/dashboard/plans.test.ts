import { describe, expect, it } from "vitest";
import * as offers from "../../dashboard/offers.ts";
import { nextAfterChoice, planSteps } from "../../dashboard/pages/plans/choice.ts";
import { PLAN_NOTE_CHARACTERS_MAX } from "../../functions/domain/account-limits.ts";
import { RETENTION_HOURS_MAX } from "../../functions/domain/limits.ts";
import { plans } from "../../functions/domain/plans.ts";
import {
  PASSKEY_NAME_CHARACTERS_MAX,
  VISITOR_UPLOAD_BYTES_MAX,
  VISITOR_UPLOADS_PER_NETWORK_DAY,
} from "../../functions/domain/sign-in-limits.ts";

describe("what the pages offer", () => {
  it("is what the service has: requests, prices and limits", () => {
    for (const id of ["free", "api"] as const) {
      const { requestsPerMonth, eurosPerMonth } = offers.planOffers[id];
      expect(plans[id]).toMatchObject({ requestsPerMonth, priceEurosPerMonth: eurosPerMonth });
    }
    expect(offers.VISITOR_FILES_MAX).toBe(VISITOR_UPLOADS_PER_NETWORK_DAY.limit);
    expect(offers.VISITOR_FILE_BYTES_MAX).toBe(VISITOR_UPLOAD_BYTES_MAX);
    expect(offers.PLAN_NOTE_CHARACTERS_MAX).toBe(PLAN_NOTE_CHARACTERS_MAX);
    expect(offers.PASSKEY_NAME_CHARACTERS_MAX).toBe(PASSKEY_NAME_CHARACTERS_MAX);
    expect(Math.max(...offers.RETENTION_HOURS)).toBe(RETENTION_HOURS_MAX);
  });
});

describe("choosing a plan", () => {
  const paid = { status: "active", paid_until: null, ends_then: false } as const;

  it("asks nothing before what costs nothing and can be taken back", () => {
    expect(planSteps("free", { plan: "free", billing: null }, false)).toEqual({ asksFirst: false, isPaid: false });
    expect(planSteps("free", null, true).asksFirst).toBe(false);
  });

  it("goes to the payment service where there is one, and asks the operator else", () => {
    expect(planSteps("api", { plan: "free", billing: null }, true).asksFirst).toBe(false);
    expect(planSteps("api", { plan: "free", billing: null }, false).asksFirst).toBe(true);
    expect(planSteps("api", { plan: "enterprise", billing: null }, true).asksFirst).toBe(true);
    expect(planSteps("enterprise", { plan: "api", billing: paid }, true).asksFirst).toBe(true);
  });

  it("asks before a plan is given up, and says where a subscription is ended", () => {
    expect(planSteps("free", { plan: "api", billing: null }, true)).toEqual({ asksFirst: true, isPaid: false });
    expect(planSteps("free", { plan: "api", billing: paid }, true)).toEqual({ asksFirst: true, isPaid: true });
    expect(planSteps("free", { plan: "api", billing: { ...paid, status: "ended" } }, true).isPaid).toBe(false);
  });

  it("goes on to the first key when the first plan holds, and tells of every other choice", () => {
    expect(nextAfterChoice({ status: "active", wasFirst: true })).toBe("first");
    expect(nextAfterChoice({ status: "active", wasFirst: false })).toBe("told");
    expect(nextAfterChoice({ status: "requested", wasFirst: true })).toBe("told");
    expect(nextAfterChoice({ status: "payment", wasFirst: true })).toBe("left");
  });
});
