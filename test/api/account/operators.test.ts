import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bufferedEngineDays } from "../../../functions/adapters/engine-days.ts";
import { getOperatorOverview } from "../../../functions/api/operators/get-operator-overview.ts";
import { listOperatedAccounts } from "../../../functions/api/operators/list-operated-accounts.ts";
import { operatedPlanRequest, setOperatedPlan } from "../../../functions/api/operators/set-operated-plan.ts";
import { sessionView } from "../../../functions/api/sign-in/session-view.ts";
import { founderOf } from "../../../functions/domain/accounts/members.ts";
import type { Account } from "../../../functions/domain/accounts/plans.ts";
import { monthOf } from "../../../functions/domain/accounts/quotas.ts";
import { operatorsIn } from "../../../functions/domain/operators/operating.ts";
import {
  operatedAccountListSchema,
  operatedAccountSchema,
  operatorOverviewSchema,
} from "../../../functions/domain/operators/operator-views.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteEngineDays } from "../../../local/sqlite/engine-days.ts";
import { accountRecord, jobRecord, NOW } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** What operators see and do, and that nobody else can. */

let world: World;
let context: Context;
let operator: Account;
let other: Account;
beforeEach(async () => {
  world = makeWorld(NOW);
  operator = accountRecord({ email: "Ops@example.com" });
  other = accountRecord({ email: "other@example.com" });
  const database = openDatabase(world.folder);
  context = {
    ...world.context,
    engineDays: bufferedEngineDays({ store: sqliteEngineDays(database), clock: () => world.now, onError: () => {} }),
    operating: {
      operators: operatorsIn("first@example.com, OPS@example.com"),
      version: "1.2.3",
      settings: new Map([["ANYFORM_VISITORS", "true"]]),
      lanes: async () => [{ lane: "fast", waiting: 3, active: 1, oldestMs: 1_500 }],
      deadLetters: async () => [{ queue: "jobs", messages: 2 }],
      disk: async () => ({ freeBytes: 10, totalBytes: 20 }),
    },
  };
  await context.accounts.createAccount(operator);
  await context.accounts.createAccount(other);
});
afterEach(() => world.close());

const by = <Body>(account: Account, body: Body, more: { params?: object; query?: object } = {}) => ({
  ...requestOf(body),
  ...more,
  account,
  member: founderOf(account),
  accountId: account.id,
  now: world.now,
  params: { ...more.params },
  query: { ...more.query },
});

const plan = (account: Account, id: string, body: object) =>
  setOperatedPlan.run(context)(by(account, operatedPlanRequest.parse(body), { params: { id } }));

describe("others than operators", () => {
  test.each(["getOperatorOverview", "listOperatedAccounts", "setOperatedPlan"] as const)(
    "cannot use %s",
    async (name) => {
      const visitor = { ...operator, visitorUntil: NOW + 1 };
      for (const account of [other, visitor]) {
        const request = by(account, { plan: "api" } as const, { params: { id: other.id } });
        const runs = {
          getOperatorOverview: () => getOperatorOverview.run(context)(by(account, undefined)),
          listOperatedAccounts: () => listOperatedAccounts.run(context)(by(account, undefined)),
          setOperatedPlan: () => setOperatedPlan.run(context)(request),
        };
        await expect(runs[name]()).rejects.toMatchObject({ code: "not_found" });
      }
      expect((await context.accounts.getAccount(other.id))?.plan).toBe(other.plan);
    },
  );

  test("cannot be members of an operator's account", async () => {
    const member = { ...founderOf(operator), id: "mem_1", email: "member@example.com" };
    const request = { ...by(operator, undefined), member };
    await expect(getOperatorOverview.run(context)(request)).rejects.toMatchObject({ code: "not_found" });
  });

  test("have a session that says so, and operators too, in any case", () => {
    const session = {
      id: "ses_1",
      accountId: "",
      hash: "",
      by: "code",
      device: "",
      createdAt: 0,
      lastUsedAt: 0,
      expiresAt: 1,
    } as const;
    expect(sessionView(context, { account: operator, session }).operator).toBe(true);
    expect(sessionView(context, { account: other, session }).operator).toBe(false);
    expect(
      sessionView({ ...context, operating: undefined } as unknown as Context, { account: operator, session }).operator,
    ).toBe(false);
    expect(sessionView(context).operator).toBe(false);
  });
});

describe("the state of the service", () => {
  test("has queues, space, settings, and the last failure of each engine", async () => {
    const failed = {
      status: "failed",
      error: { code: "engine_failed", detail: "It crashed." },
      givesBack: false,
    } as const;
    context.engineDays?.ended(jobRecord({ id: "job_1" }), failed);
    const last = jobRecord({ id: "job_2" });
    context.engineDays?.ended(last, failed);
    const { body } = await getOperatorOverview.run(context)(by(operator, undefined));
    const overview = operatorOverviewSchema.parse(body);
    expect(overview).toMatchObject({
      version: "1.2.3",
      lanes: [{ lane: "fast", waiting: 3, active: 1, oldest_ms: 1_500 }],
      dead_letters: [{ queue: "jobs", messages: 2 }],
      disk: { free_bytes: 10, total_bytes: 20 },
      retention: { files_hours: 24, records_days: 30 },
      settings: { ANYFORM_VISITORS: "true" },
    });
    expect(overview.failures).toMatchObject([
      {
        engine: last.steps[0]?.engine,
        failed: 2,
        example: { job_id: "job_2", account_id: last.accountId, code: "engine_failed", detail: "It crashed." },
      },
    ]);
  });
});

describe("accounts", () => {
  test("are listed without visitors, with usage and requests", async () => {
    await context.accounts.createAccount(accountRecord({ email: "", visitorUntil: NOW + 1 }));
    await context.accounts.change(other.id, { request: { plan: "api", at: NOW, note: "For tests" } });
    const list = async (query: object) =>
      operatedAccountListSchema.parse(
        (await listOperatedAccounts.run(context)(by(operator, undefined, { query }))).body,
      );
    const all = await list({});
    expect(all.accounts.map(({ email }) => email).toSorted()).toEqual(["Ops@example.com", "other@example.com"]);
    expect(all.accounts.find(({ id }) => id === operator.id)?.is_operator).toBe(true);
    expect((await list({ requested: "true" })).accounts).toMatchObject([
      { id: other.id, used: 0, requested_plan: { plan: "api", note: "For tests" }, is_operator: false },
    ]);
    expect((await list({ email: "OTHER@example.com" })).accounts).toMatchObject([{ id: other.id }]);
    expect((await list({ email: "nobody@example.com" })).accounts).toEqual([]);
    expect(await context.quotas.used(other.id, monthOf(NOW))).toBe(0);
  });

  test.each([{ requested: "yes" }, { after: "a b" }])("are not listed for the query %j", async (query) => {
    await expect(listOperatedAccounts.run(context)(by(operator, undefined, { query }))).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("get a requested plan, which clears the request", async () => {
    await context.accounts.change(other.id, { request: { plan: "enterprise", at: NOW } });
    const { body } = await plan(operator, other.id, { plan: "enterprise", requests_per_month: 60_000 });
    expect(operatedAccountSchema.parse(body)).toMatchObject({
      plan: "enterprise",
      requests_per_month: 60_000,
      requested_plan: null,
    });
    expect(await context.accounts.getAccount(other.id)).toMatchObject({ plan: "enterprise", quota: 60_000 });
  });

  test("keep a request for another plan, and lose it when it is declined", async () => {
    await context.accounts.change(other.id, { request: { plan: "enterprise", at: NOW } });
    await plan(operator, other.id, { plan: "api" });
    expect((await context.accounts.getAccount(other.id))?.request?.plan).toBe("enterprise");
    const { body } = await plan(operator, other.id, { plan: null });
    expect(body).toMatchObject({ plan: "api", requested_plan: null });
    expect((await context.accounts.getAccount(other.id))?.request).toBeUndefined();
  });

  test("keep their plan when the change is not complete, or the account does not exist", async () => {
    await expect(plan(operator, other.id, { plan: "enterprise" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(plan(operator, "acc_missing", { plan: "api" })).rejects.toMatchObject({ code: "not_found" });
    expect((await context.accounts.getAccount(other.id))?.plan).toBe(other.plan);
  });
});
