import * as z from "zod/mini";
import { givePlan, needsQuota } from "../../domain/accounts/give-plan.ts";
import { planIds } from "../../domain/accounts/plans.ts";
import { monthOf } from "../../domain/accounts/quotas.ts";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import { QUOTA_MAX } from "../../domain/limits.ts";
import { isOperator } from "../../domain/operators/operating.ts";
import { operatedAccountSchema, operatedAccountView } from "../../domain/operators/operator-views.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { invalidValue } from "../request.ts";
import { requireOperator } from "./require-operator.ts";

export const operatedPlanRequest = z.strictObject({
  plan: described(
    z.nullable(z.enum(planIds)),
    "The new plan. It fulfills a request for this plan. Null: the plan stays, and the request is declined.",
  ),
  requests_per_month: z.optional(
    described(
      z.int().check(z.minimum(1), z.maximum(QUOTA_MAX)),
      "The monthly quota, if it differs from the plan's. Required for `enterprise`.",
    ),
  ),
});

/** Changes the plan of an account, which also approves a request for it, or declines the request. */
export const setOperatedPlan = operation({
  id: "setOperatedPlan",
  methods: ["POST"],
  path: "/api/v1/session/operator/accounts/{id}/plan",
  auth: "session",
  permissions: {
    tables: { ...keyed, quotas: ["Query", "UpdateItem"] },
    only: signedIn("plan", "planPicked", "quota", "request"),
    operates: true,
  },
  tag: "Operators",
  summary: "Change the plan of an account",
  description:
    "Changes the plan of an account, which also approves a request for this plan, or declines the request. A subscription is not changed. Only for operators.",
  parameters: ["accountId"],
  requests: ["operatedPlan", "declinedPlan"],
  answers: { 200: { description: "The account.", examples: ["operatedAccount"] } },
  errors: ["not_found"],
  examples: ({ owner }) => ({
    operatedPlan: example("OperatedPlanRequest", "Enterprise", { plan: "enterprise", requests_per_month: 60_000 }),
    declinedPlan: example("OperatedPlanRequest", "Decline the request", { plan: null }),
    operatedAccount: example(
      "OperatedAccount",
      "An account with an individual quota",
      operatedAccountView({ ...owner, plan: "enterprise", quota: 60_000 }, { used: 17, isOperator: false }),
    ),
  }),
  schemas: () => ({ OperatedPlanRequest: operatedPlanRequest, OperatedAccount: operatedAccountSchema }),
  body: operatedPlanRequest,
  run: (context) => async (request) => {
    const { operating } = requireOperator(context, request);
    const { plan, requests_per_month: quota } = request.body;
    const { accounts } = context;
    const account = await accounts.getAccount(request.params.id ?? "");
    if (account === undefined || account.visitorUntil !== undefined) {
      throw new RequestError("not_found", "There is no account with this ID.");
    }
    if (plan !== null && quota === undefined && needsQuota(plan)) {
      throw invalidValue("/requests_per_month", `The plan ${plan} needs \`requests_per_month\`.`);
    }
    if (plan === null) {
      await accounts.change(account.id, { request: null });
    } else {
      await givePlan(accounts, account, { plan, quota });
    }
    const changed = (await accounts.getAccount(account.id)) ?? account;
    const used = await context.quotas.used(account.id, monthOf(request.now));
    return {
      status: 200,
      body: operatedAccountView(changed, { used, isOperator: isOperator(operating, changed, changed.email) }),
    };
  },
});
