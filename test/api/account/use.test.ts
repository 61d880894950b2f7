import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getUsage } from "../../../functions/api/account/get-usage.ts";
import { updateAccount, updateAccountRequest } from "../../../functions/api/account/update-account.ts";
import { useSchema } from "../../../functions/domain/accounts/account-views.ts";
import { monthBefore, type QuotaClaim } from "../../../functions/domain/accounts/quotas.ts";
import { ownerSchema } from "../../../functions/domain/sessions/session-views.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
const account = accountRecord({ plan: "api", planPicked: true });
beforeEach(async () => {
  world = makeWorld(NOW);
  await world.context.accounts.createAccount(account);
});
afterEach(() => world.close());

describe("the usage of a month", () => {
  const use = async (month?: string) => {
    const query = month === undefined ? {} : { month };
    const asked = { ...requestOf(undefined), account, accountId: account.id, now: world.now, query };
    return useSchema.parse((await getUsage.run(world.context)(asked)).body);
  };
  const take = (over: Partial<QuotaClaim>) =>
    world.context.quotas.take({
      accountId: account.id,
      month: "2026-11",
      day: 20,
      kind: "upload",
      limit: 5_000,
      ...over,
    });
  const none = { upload: 0, convert: 0, download: 0, completed: 0, failed: 0, cancelled: 0 };

  test("has every day up to today, including days without usage", async () => {
    expect(await use()).toMatchObject({ month: "2026-11", limit: 5_000, used: 0 });
    const { days } = await use();
    expect(days.length).toBe(20);
    expect([days[0], days.at(-1)]).toEqual([
      { date: "2026-11-01", ...none },
      { date: "2026-11-20", ...none },
    ]);
  });

  test("counts each operation on its day", async () => {
    await take({ day: 3 });
    await take({ day: 20 });
    await take({ day: 20, kind: "download" });
    const { used, days } = await use();
    expect(used).toBe(3);
    expect([days[2], days[19]]).toEqual([
      { date: "2026-11-03", ...none, upload: 1 },
      { date: "2026-11-20", ...none, upload: 1, download: 1 },
    ]);
  });

  test("has all days for a past month", async () => {
    await take({ month: "2024-12", day: 31 });
    expect((await use("2024-12")).days.map(({ date }) => date).at(-1)).toBe("2024-12-31");
    expect((await use("2025-02")).days.length).toBe(28);
    expect((await use("2024-12")).used).toBe(1);
  });

  test.each(["2026-12", "2024-10", "2026-13", "2026-1", "november", "2026-11-01", "../2026-11"])(
    "is not available for %s",
    async (month) => {
      await expect(use(month)).rejects.toMatchObject({
        code: "invalid_request",
        message: "`month` must be a month from 2024-11 to 2026-11.",
      });
    },
  );

  test("goes back across years", () => {
    expect([monthBefore("2026-01", 1), monthBefore("2026-11", 24), monthBefore("2026-03", 0)]).toEqual([
      "2025-12",
      "2024-11",
      "2026-03",
    ]);
  });
});

describe("the settings of an account", () => {
  const update = async (body: unknown) => {
    const asked = { ...requestOf(updateAccountRequest.parse(body)), account, accountId: account.id, now: NOW };
    return ownerSchema.parse((await updateAccount.run(world.context)(asked)).body);
  };

  test("change only in the given fields", async () => {
    const url = "https://example.com/hook";
    expect(await update({ webhook_url: url })).toMatchObject({ webhook_url: url, retention_hours: 24, plan: "api" });
    expect(await update({ retention_hours: 0 })).toMatchObject({ webhook_url: url, retention_hours: 0 });
    expect(await update({ webhook_url: null })).toMatchObject({ webhook_url: null, retention_hours: 0 });
    expect(await update({})).toMatchObject({ webhook_url: null, retention_hours: 0, email: account.email });
  });

  test.each([
    { webhook_url: "ftp://example.com" },
    { webhook_url: "" },
    { webhook_url: `https://example.com/${"x".repeat(2_048)}` },
    { retention_hours: 25 },
    { retention_hours: -1 },
    { plan: "enterprise" },
    { quota: 9 },
    { email: "b@example.com" },
  ])("reject %j", (body) => {
    expect(updateAccountRequest.safeParse(body).success).toBe(false);
  });
});
