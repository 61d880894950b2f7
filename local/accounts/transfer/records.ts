import * as z from "zod/mini";
import { KEY_ORIGINS_MAX, WEBHOOK_ENDPOINTS_MAX } from "../../../functions/domain/accounts/account-limits.ts";
import { type ApiKey, scopes } from "../../../functions/domain/accounts/keys.ts";
import { MEMBERS_MAX, roles } from "../../../functions/domain/accounts/members.ts";
import { type Account, plans } from "../../../functions/domain/accounts/plans.ts";
import { type MonthUse, useKinds } from "../../../functions/domain/accounts/quotas.ts";
import type { Preset } from "../../../functions/domain/pipelines/preset.ts";
import type { Passkey } from "../../../functions/domain/sessions/session.ts";
import { webhookTypes } from "../../../functions/domain/webhooks/message.ts";

/**
 * The lines of an export of accounts: a header, each account followed by its keys, passkeys, presets and months of usage, and an
 * end with the number of each. Times are milliseconds since 1970.
 */
export type TransferRecord =
  | { readonly type: "header"; readonly format: typeof FORMAT; readonly version: number; readonly at: number }
  | { readonly type: "account"; readonly account: Account }
  | { readonly type: "key"; readonly key: ApiKey; readonly lastUsedAt?: number }
  | { readonly type: "passkey"; readonly passkey: Passkey }
  | { readonly type: "preset"; readonly preset: Preset }
  | MonthRecord
  | ({ readonly type: "end" } & Counts);

export interface MonthRecord {
  readonly type: "usage";
  readonly accountId: string;
  /** UTC calendar month, `2026-11`. */
  readonly month: string;
  readonly used: number;
  readonly days: readonly (readonly [day: number, counts: NonNullable<ReturnType<MonthUse["days"]["get"]>>])[];
}

/** The number of records of each kind. */
export type Counts = Readonly<Record<"accounts" | "keys" | "months" | "passkeys" | "presets", number>>;

export const FORMAT = "anyform-accounts";
/** Incremented when an earlier release cannot read the records. Version 1 has no presets. */
export const VERSION = 2;

/** @returns the record of a line @throws TypeError if it is not one, which says why without repeating the line */
export const parseRecord = (line: string): TransferRecord => {
  const parsed = recordSchema.safeParse(jsonOf(line));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new TypeError(`Invalid record: ${issue?.path.join(".") || "the line"}: ${issue?.message}.`);
  }
  // The schema describes the type, except that JSON has no undefined properties.
  return parsed.data as TransferRecord;
};

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    throw new TypeError("Invalid record: the line is not JSON.");
  }
};

const text = z.string().check(z.minLength(1), z.maxLength(4_096));
const count = z.number().check(z.int(), z.nonnegative());
const idOf = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`)));
const accountId = idOf("acc");

const secrets = z
  .array(z.strictObject({ secret: text, createdAt: count, expiresAt: z.optional(count) }))
  .check(z.maxLength(100));

const roleOf = z.enum(roles);

const team = z.strictObject({
  version: count,
  members: z
    .array(z.strictObject({ id: idOf("mem"), email: text, role: roleOf, joinedAt: count }))
    .check(z.maxLength(MEMBERS_MAX)),
  invitations: z
    .array(
      z.strictObject({ id: idOf("inv"), email: text, role: roleOf, hash: text, invitedBy: text, expiresAt: count }),
    )
    .check(z.maxLength(MEMBERS_MAX)),
});

const account = z.strictObject({
  id: accountId,
  email: text,
  plan: z.enum(Object.keys(plans) as [keyof typeof plans]),
  quota: z.optional(count),
  retentionHours: z.optional(count),
  webhookSecrets: z.optional(secrets),
  webhookUrl: z.optional(text),
  webhookEndpoints: z.optional(
    z
      .array(
        z.strictObject({
          id: idOf("whe"),
          url: text,
          events: z.array(z.enum(webhookTypes)),
          description: z.optional(text),
          enabled: z.boolean(),
          secrets,
          createdAt: count,
        }),
      )
      .check(z.maxLength(WEBHOOK_ENDPOINTS_MAX)),
  ),
  quotaMails: z.optional(z.boolean()),
  planPicked: z.optional(z.boolean()),
  request: z.optional(
    z.strictObject({
      plan: z.enum(Object.keys(plans) as [keyof typeof plans]),
      at: count,
      note: z.optional(z.string()),
    }),
  ),
  billing: z.optional(
    z.strictObject({
      customerId: text,
      subscriptionId: text,
      status: z.enum(["active", "past_due", "ended"]),
      paidUntil: z.optional(count),
      endsThen: z.optional(z.boolean()),
    }),
  ),
  team: z.optional(team),
  createdAt: count,
});

const key = z.strictObject({
  id: idOf("key"),
  accountId,
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  prefix: text,
  name: z.string().check(z.maxLength(4_096)),
  scopes: z.optional(z.array(z.enum(scopes))),
  monthlyLimit: z.optional(count),
  countedAs: z.optional(idOf("key")),
  origins: z.optional(z.array(text).check(z.maxLength(KEY_ORIGINS_MAX))),
  createdAt: count,
  expiresAt: z.optional(count),
  revokedAt: z.optional(count),
});

const passkey = z.strictObject({
  id: text,
  accountId,
  memberId: z.optional(idOf("mem")),
  name: z.string().check(z.maxLength(4_096)),
  publicKey: text,
  counter: count,
  transports: z.array(text).check(z.maxLength(20)),
  createdAt: count,
  lastUsedAt: z.optional(count),
});

const values = z.record(z.string(), z.unknown());

const preset = z.strictObject({
  accountId,
  name: text,
  targetFormat: z.optional(text),
  options: z.optional(values),
  steps: z.optional(z.array(values).check(z.maxLength(100))),
  updatedAt: count,
});

const dayCounts = z.strictObject(
  Object.fromEntries(useKinds.map((kind) => [kind, z.optional(count)])) as Record<
    (typeof useKinds)[number],
    z.ZodMiniOptional<typeof count>
  >,
);

const recordSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("header"),
    format: z.literal(FORMAT),
    version: z.number().check(z.int(), z.gte(1), z.lte(VERSION)),
    at: count,
  }),
  z.strictObject({ type: z.literal("account"), account }),
  z.strictObject({ type: z.literal("key"), key, lastUsedAt: z.optional(count) }),
  z.strictObject({ type: z.literal("passkey"), passkey }),
  z.strictObject({ type: z.literal("preset"), preset }),
  z.strictObject({
    type: z.literal("usage"),
    accountId,
    month: z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)),
    used: count,
    days: z.array(z.tuple([count.check(z.positive(), z.lte(31)), dayCounts])).check(z.maxLength(31)),
  }),
  z.strictObject({
    type: z.literal("end"),
    accounts: count,
    keys: count,
    passkeys: count,
    presets: z._default(count, 0),
    months: count,
  }),
]);
