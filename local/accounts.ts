import { parseArgs } from "node:util";
import { issueKey, openAccount } from "../functions/domain/accounts.ts";
import { type Scope, scopes } from "../functions/domain/keys.ts";
import { RETENTION_HOURS_MAX } from "../functions/domain/limits.ts";
import { isPlanId, type PlanId, plans, requestsPerMonth } from "../functions/domain/plans.ts";
import type { Context } from "../functions/domain/ports.ts";
import { monthOf } from "../functions/domain/quotas.ts";

/** The operator's tool for accounts, on this machine's tables or on those of a deployment. */

const USAGE = `npm run accounts -- COMMAND [--target local|aws] [--json]

  create        --email E --plan free|api|enterprise [--quota N]    make an account and its first key
  create-key    --account ID [--name TEXT] [--scopes S,S] [--test]  make a further key
  list                                                              list accounts
  set-plan      --account ID --plan free|api|enterprise [--quota N] change the plan
  set-retention --account ID --hours N                              how long files stay after their job; 0: until the
                                                                    first download
  keys          --account ID                                        list the keys of an account
  revoke-key    --account ID --key ID                               revoke a key at once
  usage         --account ID [--month 2026-11]                      requests used in a month

--target local works on DATA_DIR (.data); --target aws on the tables that ANYFORM_KEYS_TABLE and ANYFORM_QUOTAS_TABLE
name (anyform-keys and anyform-quotas), with your AWS credentials. --quota is requests a month; enterprise needs it.
--scopes is what the key may do: ${scopes.join(", ")}; without it, everything. A --test key
converts small files for real, is not metered, and lets the names of files force failures: fail-timed_out.png.`;

const parsed = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      email: { type: "string" },
      plan: { type: "string" },
      quota: { type: "string" },
      account: { type: "string" },
      key: { type: "string" },
      name: { type: "string", default: "default" },
      scopes: { type: "string" },
      test: { type: "boolean", default: false },
      hours: { type: "string" },
      month: { type: "string" },
      target: { type: "string", default: "local" },
      json: { type: "boolean", default: false },
    },
  });

type Values = ReturnType<typeof parsed>["values"];

/** What was asked for cannot be done; the message says why. */
class CommandError extends Error {}

const commands: Readonly<Record<string, (context: Context, values: Values) => Promise<object | object[]>>> = {
  create: async (context, values) => {
    const email = emailOf(values);
    const account = await openAccount(context, { email, ...planOf(values) });
    if (account === undefined) {
      throw new CommandError(`There is an account with the address ${email} already.`);
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
      const used = await context.quotas.used(account.id, monthOf(context.clock()));
      rows.push({
        account_id: account.id,
        email: account.email,
        plan: account.plan,
        requests_per_month: requestsPerMonth(account),
        used,
      });
    }
    return rows;
  },
  "set-plan": async (context, values) => {
    const { id } = await accountOf(context, values);
    const { plan, quota } = planOf(values);
    await context.accounts.setPlan(id, plan, quota);
    const account = await accountOf(context, values);
    return { account_id: id, plan: account.plan, requests_per_month: requestsPerMonth(account) };
  },
  "set-retention": async (context, values) => {
    const { id } = await accountOf(context, values);
    const retentionHours = hoursOf(values);
    await context.accounts.setPreferences(id, { retentionHours });
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
      created_at: new Date(key.createdAt).toISOString(),
      revoked_at: key.revokedAt === undefined ? null : new Date(key.revokedAt).toISOString(),
    }));
  },
  "revoke-key": async (context, values) => {
    const { id } = await accountOf(context, values);
    const key = (await context.accounts.keysOf(id)).find((each) => each.id === required(values, "key"));
    if (key === undefined) {
      throw new CommandError(`The account ${id} has no key ${values.key}.`);
    }
    await context.accounts.revokeKey(key.hash, context.clock());
    return { key_id: key.id, revoked: true };
  },
  usage: async (context, values) => {
    const account = await accountOf(context, values);
    const month = values.month ?? monthOf(context.clock());
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) {
      throw new CommandError(`--month is a month like 2026-11, not ${month}.`);
    }
    const used = await context.quotas.used(account.id, month);
    return { account_id: account.id, month, used, requests_per_month: requestsPerMonth(account) };
  },
};

const required = (values: Values, name: "account" | "email" | "hours" | "key" | "plan"): string => {
  const value = values[name];
  if (value === undefined || value === "") {
    throw new CommandError(`--${name} is needed.\n\n${USAGE}`);
  }
  return value;
};

const emailOf = (values: Values): string => {
  const email = required(values, "email");
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
    throw new CommandError(`${email} is no e-mail address.`);
  }
  return email;
};

const planOf = (values: Values): { plan: PlanId; quota: number | undefined } => {
  const plan = required(values, "plan");
  if (!isPlanId(plan)) {
    throw new CommandError(`There is no plan ${plan}; there are ${Object.keys(plans).join(", ")}.`);
  }
  const quota = values.quota === undefined ? undefined : Number(values.quota);
  if (quota !== undefined && !(Number.isSafeInteger(quota) && quota >= 0)) {
    throw new CommandError(`--quota is a number of requests a month, not ${values.quota}.`);
  }
  if (plans[plan].requestsPerMonth === undefined && quota === undefined) {
    throw new CommandError(`The plan ${plan} has no number of its own: give --quota.`);
  }
  return { plan, quota };
};

const scopesOf = ({ scopes: given }: Values): { scopes?: Scope[] } => {
  if (given === undefined) {
    return {};
  }
  const names = given.split(",").map((name) => name.trim());
  const wanted = scopes.filter((scope) => names.includes(scope));
  if (wanted.length !== new Set(names).size) {
    throw new CommandError(`--scopes lists some of ${scopes.join(", ")}, not ${given}.`);
  }
  return { scopes: wanted };
};

const hoursOf = (values: Values): number => {
  const hours = Number(required(values, "hours"));
  if (!Number.isInteger(hours) || hours < 0 || hours > RETENTION_HOURS_MAX) {
    throw new CommandError(`--hours is a whole number from 0 to ${RETENTION_HOURS_MAX}, not ${values.hours}.`);
  }
  return hours;
};

const accountOf = async (context: Context, values: Values) => {
  const id = required(values, "account");
  const account = await context.accounts.getAccount(id);
  if (account === undefined) {
    throw new CommandError(`There is no account ${id}.`);
  }
  return account;
};

const contextOf = async (target: string): Promise<Context> => {
  if (target === "aws") {
    process.env.ANYFORM_KEYS_TABLE ??= "anyform-keys";
    process.env.ANYFORM_QUOTAS_TABLE ??= "anyform-quotas";
    return (await import("../functions/context.ts")).context();
  }
  if (target === "local") {
    return (await import("./context.ts")).context();
  }
  throw new CommandError(`--target is local or aws, not ${target}.`);
};

/** @returns the answer for people: one line a row */
const plain = (answer: object | object[]): string =>
  (Array.isArray(answer) ? answer : [answer])
    .map((row) =>
      Object.entries(row)
        .map(([name, value]) => `${name}=${value}`)
        .join("  "),
    )
    .join("\n");

const main = async (): Promise<void> => {
  const { positionals, values } = parsed();
  const command = commands[positionals[0] ?? ""];
  if (command === undefined) {
    throw new CommandError(USAGE);
  }
  const answer = await command(await contextOf(values.target), values);
  console.log(values.json ? JSON.stringify(answer) : plain(answer));
};

try {
  await main();
} catch (error) {
  const known = error instanceof CommandError || (error instanceof TypeError && "code" in error);
  console.error(known ? error.message : error);
  process.exitCode = 1;
}
