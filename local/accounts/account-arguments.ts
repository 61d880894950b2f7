import { parseArgs } from "node:util";
import { needsQuota } from "../../functions/domain/accounts/give-plan.ts";
import { type Scope, scopes } from "../../functions/domain/accounts/keys.ts";
import { type Account, isPlanId, type PlanId, plans } from "../../functions/domain/accounts/plans.ts";
import { RETENTION_HOURS_MAX } from "../../functions/domain/limits.ts";
import type { Context } from "../../functions/domain/ports.ts";

/** The arguments of the operator's command for accounts. */

export const USAGE = `Usage: npm run accounts -- COMMAND [--target local|aws] [--json]

  create        --email E --plan PLAN [--quota N]                   create an account and its first key
  create-key    --account ID [--name TEXT] [--scopes S,S] [--test]  create another key
  list                                                              list accounts
  set-plan      --account ID --plan PLAN [--quota N]                change the plan
  set-retention --account ID --hours N                              set how long files are kept after their job; 0: until
                                                                    the first download
  keys          --account ID                                        list the keys of an account
  revoke-key    --account ID --key ID                               revoke a key immediately
  members       --account ID                                        list the members of an account and its invitations
  add-member    --account ID --email E --role ROLE                  add a member without an invitation
  remove-member --account ID --email E                              remove a member, whose sessions end immediately
  set-email     --account ID --email E                              replace the address of an account whose owner has left,
                                                                    who is signed out
  requests                                                          list requested plans
  approve       --account ID [--quota N]                            approve the requested plan
  refuse        --account ID                                        decline the requested plan
  usage         --account ID [--month 2026-11]                      show the requests used in a month
  export FILE                                                       write all accounts to a new file
  import FILE   [--dry-run]                                         add the accounts of such a file

--target local uses DATA_DIR (.data). --target aws uses the tables ANYFORM_KEYS_TABLE and ANYFORM_QUOTAS_TABLE, the
outputs of the stack anyform-data, with your AWS credentials. ROLE is owner, developer or billing. PLAN is free, api, enterprise or unlimited.
--quota is the number of requests per month. The enterprise plan requires it, also for approval.
--scopes limits what the key can do: ${scopes.join(", ")}. Default: everything. A --test key
converts small files, is not metered, and simulates errors by filename: fail-timed_out.png.
An export contains accounts with their plans, webhook URLs and secrets, API keys as hashes, passkeys, and usage. It does not
contain files, jobs or sessions. An import checks the complete file first, and changes nothing that exists.`;

export const parsed = (args: readonly string[] = process.argv.slice(2)) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      email: { type: "string" },
      plan: { type: "string" },
      role: { type: "string" },
      quota: { type: "string" },
      account: { type: "string" },
      key: { type: "string" },
      name: { type: "string", default: "default" },
      scopes: { type: "string" },
      test: { type: "boolean", default: false },
      hours: { type: "string" },
      month: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      target: { type: "string", default: "local" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });

/** The options of a command, and its file. */
export type Values = ReturnType<typeof parsed>["values"] & { readonly file?: string | undefined };

/** A command that cannot be executed; the message says why. */
export class CommandError extends Error {}

export const required = (
  values: Values,
  name: "account" | "email" | "file" | "hours" | "key" | "plan" | "role",
): string => {
  const value = values[name];
  if (value === undefined || value === "") {
    throw new CommandError(`Missing ${name === "file" ? "FILE" : `option --${name}`}.\n\n${USAGE}`);
  }
  return value;
};

export const emailOf = (values: Values): string => {
  const email = required(values, "email");
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
    throw new CommandError(`${email} is not a valid email address.`);
  }
  return email;
};

export const planOf = (values: Values): { plan: PlanId; quota: number | undefined } => {
  const plan = required(values, "plan");
  if (!isPlanId(plan)) {
    throw new CommandError(`Unknown plan ${plan}. Plans: ${Object.keys(plans).join(", ")}.`);
  }
  const quota = values.quota === undefined ? undefined : Number(values.quota);
  if (quota !== undefined && !(Number.isSafeInteger(quota) && quota >= 0)) {
    throw new CommandError(`--quota must be a number of requests per month, not ${values.quota}.`);
  }
  if (quota === undefined && needsQuota(plan)) {
    throw new CommandError(`The plan ${plan} has no default quota. Set --quota.`);
  }
  if (plan === "unlimited" && quota !== undefined) {
    throw new CommandError("The plan unlimited has no quota. Omit --quota.");
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
    throw new CommandError(`--scopes must be a list of ${scopes.join(", ")}, not ${given}.`);
  }
  return { scopes: wanted };
};

export const hoursOf = (values: Values): number => {
  const hours = Number(required(values, "hours"));
  if (!Number.isInteger(hours) || hours < 0 || hours > RETENTION_HOURS_MAX) {
    throw new CommandError(`--hours must be an integer from 0 to ${RETENTION_HOURS_MAX}, not ${values.hours}.`);
  }
  return hours;
};

export const accountOf = async (context: Context, values: Values): Promise<Account> => {
  const id = required(values, "account");
  const account = await context.accounts.getAccount(id);
  if (account === undefined) {
    throw new CommandError(`Account ${id} not found.`);
  }
  return account;
};
