import { issueKey, openAccount } from "../../functions/domain/accounts/account.ts";
import { type GivenPlan, givePlan } from "../../functions/domain/accounts/give-plan.ts";
import { scopes } from "../../functions/domain/accounts/keys.ts";
import { type Account, type PlanId, requestsPerMonth, shownRequests } from "../../functions/domain/accounts/plans.ts";
import { monthOf } from "../../functions/domain/accounts/quotas.ts";
import type { Context } from "../../functions/domain/ports.ts";
import { timestamp } from "../../functions/domain/times.ts";
import {
  accountOf,
  CommandError,
  emailOf,
  hoursOf,
  planOf,
  required,
  scopesOf,
  type Values,
} from "./account-arguments.ts";
import { memberCommands } from "./member-commands.ts";
import { exportAccounts } from "./transfer/export-accounts.ts";
import { type Imported, importAccounts } from "./transfer/import-accounts.ts";

/** THE table of account commands. Each returns its output. */

export const commands: Readonly<Record<string, (context: Context, values: Values) => Promise<object | object[]>>> = {
  create: async (context, values) => {
    const email = emailOf(values);
    const account = await openAccount(context, { email, ...planOf(values), planPicked: true });
    if (account === undefined) {
      throw new CommandError(`An account with the email address ${email} already exists.`);
    }
    const { key } = await issueKey(context, { accountId: account.id, name: values.name });
    return { account_id: account.id, api_key: key };
  },
  "create-key": async (context, values) => {
    const { id } = await accountOf(context, values);
    const kind = values.test ? "test" : "live";
    const issued = await issueKey(context, { accountId: id, name: values.name, kind, ...scopesOf(values) });
    return { key_id: issued.id, api_key: issued.key };
  },
  list: async (context) => {
    const rows = [];
    for await (const account of context.accounts.listAccounts()) {
      if (account.visitorUntil !== undefined) {
        // Visitor accounts expire within a day.
        continue;
      }
      const used = await context.quotas.used(account.id, monthOf(context.clock()));
      rows.push({
        account_id: account.id,
        email: account.email,
        plan: account.plan,
        requests_per_month: shownRequests(requestsPerMonth(account)),
        used,
        requested_plan: account.request?.plan ?? null,
        billing: account.billing?.status ?? null,
      });
    }
    return rows;
  },
  "set-plan": async (context, values) => {
    const account = await accountOf(context, values);
    return changePlan(context, account, planOf(values));
  },
  ...memberCommands,
  requests: async (context) => {
    const rows = [];
    for await (const { id, email, plan, request } of context.accounts.listAccounts()) {
      if (request !== undefined) {
        const row = { requested_plan: request.plan, requested_at: timestamp(request.at), note: request.note ?? null };
        rows.push({ account_id: id, email, plan, ...row });
      }
    }
    return rows;
  },
  approve: async (context, values) => {
    const account = await accountOf(context, values);
    return changePlan(context, account, planOf({ ...values, plan: requestedBy(account) }));
  },
  refuse: async (context, values) => {
    const account = await accountOf(context, values);
    const refused_plan = requestedBy(account);
    await context.accounts.change(account.id, { request: null });
    return { account_id: account.id, plan: account.plan, refused_plan };
  },
  "set-retention": async (context, values) => {
    const { id } = await accountOf(context, values);
    const retentionHours = hoursOf(values);
    await context.accounts.change(id, { retentionHours });
    return { account_id: id, retention_hours: retentionHours };
  },
  keys: async (context, values) => {
    const { id } = await accountOf(context, values);
    const keys = await context.accounts.keysOf(id);
    return keys.map((key) => ({
      key_id: key.id,
      prefix: key.prefix,
      name: key.name,
      scopes: key.scopes ?? scopes,
      created_at: timestamp(key.createdAt),
      revoked_at: key.revokedAt === undefined ? null : timestamp(key.revokedAt),
    }));
  },
  "revoke-key": async (context, values) => {
    const { id } = await accountOf(context, values);
    const key = (await context.accounts.keysOf(id)).find((each) => each.id === required(values, "key"));
    if (key === undefined) {
      throw new CommandError(`Account ${id} has no key ${values.key}.`);
    }
    await context.accounts.revokeKey(key.hash, context.clock());
    return { key_id: key.id, revoked: true };
  },
  usage: async (context, values) => {
    const account = await accountOf(context, values);
    const month = values.month ?? monthOf(context.clock());
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) {
      throw new CommandError(`--month must be a month such as 2026-11, not ${month}.`);
    }
    const used = await context.quotas.used(account.id, month);
    return { account_id: account.id, month, used, requests_per_month: shownRequests(requestsPerMonth(account)) };
  },
  export: async (context, values) => {
    const file = required(values, "file");
    return { file, ...(await exportAccounts(context, file)) };
  },
  import: async (context, values) => {
    const [file, dryRun] = [required(values, "file"), values["dry-run"]];
    return { file, dry_run: dryRun, ...importedRow(await importAccounts(context, file, { dryRun })) };
  },
};

/** @returns the numbers of each kind as one row: `accounts_added`, `accounts_unchanged` */
const importedRow = ({ added, unchanged }: Imported): object =>
  Object.fromEntries(
    Object.entries({ added, unchanged }).flatMap(([outcome, counts]) =>
      Object.entries(counts).map(([kind, count]) => [`${kind}_${outcome}`, count]),
    ),
  );

const changePlan = async ({ accounts }: Context, account: Account, given: GivenPlan): Promise<object> => {
  const { plan, quota } = given;
  await givePlan(accounts, account, given);
  return {
    account_id: account.id,
    plan,
    requests_per_month: shownRequests(requestsPerMonth({ plan, ...(quota !== undefined && { quota }) })),
  };
};

const requestedBy = ({ id, request }: Account): PlanId => {
  if (request === undefined) {
    throw new CommandError(`Account ${id} has not requested a plan.`);
  }
  return request.plan;
};
