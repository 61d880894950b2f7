import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { choosePlan, choosePlanRequest } from "../../../functions/api/billing/choose-plan.ts";
import { planChoiceSchema } from "../../../functions/domain/accounts/account-views.ts";
import type { Account, Billing } from "../../../functions/domain/accounts/plans.ts";
import { requestsPerMonth } from "../../../functions/domain/accounts/plans.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** Plans without a payment provider; test/api/account/billing.test.ts has one. */
describe("choosing a plan", () => {
  let world: World;
  let id: string;
  beforeEach(() => {
    world = makeWorld(NOW);
  });
  afterEach(() => world.close());

  const open = async (over: Partial<Account> = {}): Promise<void> => {
    const account = accountRecord(over);
    id = account.id;
    await world.context.accounts.createAccount(account);
  };
  const stored = async () => (await world.context.accounts.getAccount(id)) ?? accountRecord();
  const choose = async (body: unknown) => {
    const account = await stored();
    const asked = { ...requestOf(choosePlanRequest.parse(body)), account, accountId: id, now: world.now };
    return planChoiceSchema.parse((await choosePlan.run(world.context)(asked)).body);
  };
  const active = { status: "active", url: null };
  const requested = { status: "requested", url: null };

  test("activates the free plan immediately", async () => {
    await open();
    expect(await choose({ plan: "free" })).toEqual(active);
    expect(await stored()).toMatchObject({ plan: "free", planPicked: true });
  });

  test.each(["api", "enterprise"] as const)(
    "sends a request to the operator for %s, and changes nothing yet",
    async (plan) => {
      await open();
      expect(await choose({ plan, note: " 200,000 a month,\n please \u202e" })).toEqual(requested);
      expect(await stored()).toMatchObject({
        plan: "free",
        planPicked: true,
        request: { plan, at: NOW, note: "200,000 a month, please" },
      });
    },
  );

  test("replaces an earlier request, and free withdraws it", async () => {
    await open();
    await choose({ plan: "api" });
    await choose({ plan: "enterprise" });
    expect((await stored()).request).toEqual({ plan: "enterprise", at: NOW });
    await choose({ plan: "free" });
    expect((await stored()).request).toBeUndefined();
  });

  test("sends no request for the account's current plan", async () => {
    await open({ plan: "api", quota: 9_000 });
    expect(await choose({ plan: "api" })).toEqual(active);
    await open({ plan: "enterprise", quota: 70_000 });
    expect(await choose({ plan: "enterprise" })).toEqual(active);
    expect(requestsPerMonth(await stored())).toBe(70_000);
  });

  test("keeps the custom quota of a free account, and discards that of the previous plan", async () => {
    await open({ plan: "free", quota: 500 });
    await choose({ plan: "free" });
    expect(requestsPerMonth(await stored())).toBe(500);
    await open({ plan: "api", quota: 9_000 });
    await choose({ plan: "free" });
    expect(requestsPerMonth(await stored())).toBe(100);
  });

  test("sends a request to the operator for a plan below the agreed one", async () => {
    await open({ plan: "enterprise", quota: 70_000 });
    expect(await choose({ plan: "api" })).toEqual(requested);
    expect((await stored()).plan).toBe("enterprise");
  });

  test("sends a request to the operator when it would end a subscription without a payment provider", async () => {
    const billing: Billing = { customerId: "cus_1", subscriptionId: "sub_1", status: "active" };
    await open({ plan: "api", billing });
    expect(await choose({ plan: "free" })).toEqual(requested);
    expect(await stored()).toMatchObject({ plan: "api", request: { plan: "free" } });
  });

  test.each([
    {},
    { plan: "gold" },
    { plan: "constructor" },
    { plan: "api", note: "x".repeat(501) },
    { plan: "api", quota: 1 },
  ])("rejects %j", (body) => {
    expect(choosePlanRequest.safeParse(body).success).toBe(false);
  });
});
