import type { Account } from "../../domain/accounts/plans.ts";
import { monthOf } from "../../domain/accounts/quotas.ts";
import { OPERATED_ACCOUNTS_MAX } from "../../domain/limits.ts";
import { isOperator } from "../../domain/operators/operating.ts";
import { operatedAccountListSchema, operatedAccountView } from "../../domain/operators/operator-views.ts";
import type { Context, Page } from "../../domain/ports.ts";
import { nextLink } from "../middleware/pages.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { type ApiRequest, invalidValue } from "../request.ts";
import { requireOperator } from "./require-operator.ts";

/** Lists the accounts of the deployment, or finds the one with an address. */
export const listOperatedAccounts = operation({
  id: "listOperatedAccounts",
  methods: ["GET"],
  path: "/api/v1/session/operator/accounts",
  auth: "session",
  permissions: {
    tables: { ...keyed, keys: ["GetItem", "Scan", "UpdateItem"], quotas: ["Query", "UpdateItem"] },
    only: signedIn(),
    operates: true,
  },
  tag: "Operators",
  summary: "List accounts",
  description:
    "Lists the accounts of this deployment with their plans, usage and requested plans, in no particular order. Follow `next` for the next page: a page can have fewer accounts than the next one, or none. Visitors are not listed. Only for operators.",
  parameters: ["account_email", "requested", "after_account"],
  answers: { 200: { description: "A page of accounts.", examples: ["operatedAccounts"], headers: ["Link"] } },
  errors: ["invalid_request", "not_found"],
  examples: ({ owner, time }) => ({
    operatedAccounts: example("OperatedAccountList", "An account that requests a plan", {
      accounts: [
        operatedAccountView(
          { ...owner, request: { plan: "enterprise", at: time, note: "20,000 files a month" } },
          { used: 17, isOperator: false },
        ),
      ],
      next: null,
    }),
  }),
  schemas: () => ({ OperatedAccountList: operatedAccountListSchema }),
  run: (context) => async (request) => {
    const { operating } = requireOperator(context, request);
    const { items, next } = await found(context, request);
    const month = monthOf(request.now);
    const accounts = await Promise.all(
      items.map(async (account) =>
        operatedAccountView(account, {
          used: await context.quotas.used(account.id, month),
          isOperator: isOperator(operating, account, account.email),
        }),
      ),
    );
    return { status: 200, headers: nextLink(request, next), body: { accounts, next: next ?? null } };
  },
});

const found = async ({ accounts }: Context, { query }: ApiRequest<unknown>): Promise<Page<Account>> => {
  const { email, requested, after } = query;
  if (requested !== undefined && requested !== "true") {
    throw invalidValue("/requested", "`requested` must be `true`, or be left out.");
  }
  if (after !== undefined && !/^[\w#@.+-]{1,200}$/.test(after)) {
    throw invalidValue("/after", "`after` must be the `next` value of the previous page.");
  }
  if (email !== undefined) {
    const account = await accounts.findByEmail(email);
    return { items: account === undefined || account.visitorUntil !== undefined ? [] : [account] };
  }
  const page = await accounts.accountPage({ limit: OPERATED_ACCOUNTS_MAX, ...(after !== undefined && { after }) });
  const items = page.items.filter(
    ({ visitorUntil, request }) => visitorUntil === undefined && (requested === undefined || request !== undefined),
  );
  return { ...page, items };
};
