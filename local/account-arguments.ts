import { parseArgs } from "node:util";
import { type Scope, scopes } from "../functions/domain/keys.ts";
import { RETENTION_HOURS_MAX } from "../functions/domain/limits.ts";
import { type Account, isPlanId, type PlanId, plans } from "../functions/domain/plans.ts";
import type { Context } from "../functions/domain/ports.ts";

/** The words of the operator's command for accounts, and what they mean. */

export const USAGE = `npm run accounts -- COMMAND [--target local|aws] [--json]

  create        --email E --plan free|api|enterprise [--quota N]    make an account and its first key
  create-key    --account ID [--name TEXT] [--scopes S,S] [--test]  make a further key
  list                                                              list accounts
  set-plan      --account ID --plan free|api|enterprise [--quota N] change the plan
  set-retention --account ID --hours N                              how long files stay after their job; 0: until the
                                                                    first download
  keys          --account ID                                        list the keys of an account
  revoke-key    --account ID --key ID                               revoke a key at once
  requests                                                          list the plans that owners have asked for
  approve       --account ID [--quota N]                            give the account the plan that it has asked for
  refuse        --account ID                                        leave its plan as it is, and forget what it asked for
  usage         --account ID [--month 2026-11]                      requests used in a month

--target local works on DATA_DIR (.data); --target aws on the tables that ANYFORM_KEYS_TABLE and ANYFORM_QUOTAS_TABLE
name (anyform-keys and anyform-quotas), with your AWS credentials. --quota is requests a month; enterprise needs
it, to be approved too.
--scopes is what the key may do: ${scopes.join(", ")}; without it, everything. A --test key
converts small files for real, is not metered, and lets the names of files force failures: fail-timed_out.png.`;

export const parsed = () =>
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

export type Values = ReturnType<typeof parsed>["values"];

/** What was asked for cannot be done; the message says why. */
export class CommandError extends Error {}

export const required = (values: Values, name: "account" | "email" | "hours" | "key" | "plan"): string => {
  const value = values[name];
  if (value === undefined || value === "") {
    throw new CommandError(`--${name} is needed.\n\n${USAGE}`);
  }
  return value;
};

export const emailOf = (values: Values): string => {
  const email = required(values, "email");
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
    throw new CommandError(`${email} is no e-mail address.`);
  }
  return email;
};

export const planOf = (values: Values): { plan: PlanId; quota: number | undefined } => {
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

export const scopesOf = ({ scopes: given }: Values): { scopes?: Scope[] } => {
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

export const hoursOf = (values: Values): number => {
  const hours = Number(required(values, "hours"));
  if (!Number.isInteger(hours) || hours < 0 || hours > RETENTION_HOURS_MAX) {
    throw new CommandError(`--hours is a whole number from 0 to ${RETENTION_HOURS_MAX}, not ${values.hours}.`);
  }
  return hours;
};

export const accountOf = async (context: Context, values: Values): Promise<Account> => {
  const id = required(values, "account");
  const account = await context.accounts.getAccount(id);
  if (account === undefined) {
    throw new CommandError(`There is no account ${id}.`);
  }
  return account;
};
