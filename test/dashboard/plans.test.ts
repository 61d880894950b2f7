import { describe, expect, it } from "vitest";
import * as offers from "../../dashboard/offers.ts";
import { nextAfterChoice, planSteps } from "../../dashboard/pages/plans/choice.ts";
import { PLAN_NOTE_CHARACTERS_MAX } from "../../functions/domain/accounts/account-limits.ts";
import { plans } from "../../functions/domain/accounts/plans.ts";
import { RETENTION_HOURS_MAX } from "../../functions/domain/limits.ts";
import {
  PASSKEY_NAME_CHARACTERS_MAX,
  VISITOR_UPLOAD_BYTES_MAX,
  VISITOR_UPLOADS_PER_NETWORK_DAY,
} from "../../functions/domain/sessions/sign-in-limits.ts";

describe("what the pages offer", () => {
  it("matches the service: requests, prices and limits", () => {
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

  it("needs no confirmation for the free plan", () => {
    expect(planSteps("free", { plan: "free", billing: null }, false)).toEqual({
      needsConfirmation: false,
      isPaid: false,
    });
    expect(planSteps("free", null, true).needsConfirmation).toBe(false);
  });

  it("opens the payment page if payments are enabled, and otherwise sends a request to the operator", () => {
    expect(planSteps("api", { plan: "free", billing: null }, true).needsConfirmation).toBe(false);
    expect(planSteps("api", { plan: "free", billing: null }, false).needsConfirmation).toBe(true);
    expect(planSteps("api", { plan: "enterprise", billing: null }, true).needsConfirmation).toBe(true);
    expect(planSteps("enterprise", { plan: "api", billing: paid }, true).needsConfirmation).toBe(true);
  });

  it("asks for confirmation before a downgrade, and knows whether the payment provider must end a subscription", () => {
    expect(planSteps("free", { plan: "api", billing: null }, true)).toEqual({ needsConfirmation: true, isPaid: false });
    expect(planSteps("free", { plan: "api", billing: paid }, true)).toEqual({ needsConfirmation: true, isPaid: true });
    expect(planSteps("free", { plan: "api", billing: { ...paid, status: "ended" } }, true).isPaid).toBe(false);
  });

  it("continues to the first key after the first plan, and confirms every other choice", () => {
    expect(nextAfterChoice({ status: "active", wasFirst: true })).toBe("firstKey");
    expect(nextAfterChoice({ status: "active", wasFirst: false })).toBe("confirmed");
    expect(nextAfterChoice({ status: "requested", wasFirst: true })).toBe("confirmed");
    expect(nextAfterChoice({ status: "payment", wasFirst: true })).toBe("redirected");
  });
});
