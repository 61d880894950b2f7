/**
 * The permissions of the dashboard's functions, repeated independently of infra/permissions.ts: by name, `action on
 * resource`.
 */

const keys = (actions: readonly string[], only = ""): readonly string[] =>
  actions.map((action) => `dynamodb:${action} on keys${only === "" ? "" : `: ${only}`}`);

/** Signed in: the session is read and its last use recorded; and the requests of the second are counted and logged. */
const signedIn = (attributes = "", actions: readonly string[] = []): readonly string[] => [
  ...keys(["GetItem", ...actions]),
  `dynamodb:UpdateItem on keys: kind lastUsedAt pk${attributes === "" ? "" : ` ${attributes}`}`,
  "dynamodb:UpdateItem on quotas: accountId entry period second taken ttl",
];

/** Not signed in: allowances are counted. */
const ALLOWANCE = "dynamodb:UpdateItem on quotas: accountId period taken ttl";

/** The part of the table that the index shows for one account: keys, sessions, passkeys. */
const LIST = "dynamodb:Query on keys/index/by-account";

const SIGNING = "keys kind pk version";

/** @returns permissions for records with these prefixes, and for no other record of the table */
const within = (records: string, actions: readonly string[], attributes: string): readonly string[] => [
  ...keys(actions, records),
  ...keys(["UpdateItem"], `${records} ${attributes}`),
];

const CODE = "cha_* signing";
const SESSION = "acc_* cha_* email#* seats#* session#* signing";
const INVITED = "acc_* seats#* session#* signing";
const VISITOR = "acc_* email#* session#* signing";
const PASSKEY = "acc_* cha_* passkey#* session#* signing";
const ALL = ["DeleteItem", "GetItem", "PutItem"];

export const dashboardRights: readonly (readonly [string, readonly string[]])[] = [
  ["create-sign-in-code", [...within(CODE, ["GetItem", "PutItem"], SIGNING), ALLOWANCE]],
  ["create-session", [...within(SESSION, ALL, `${SIGNING} tries`), ALLOWANCE, LIST]],
  ["get-session", within("acc_* session#* signing", ["GetItem"], "kind lastUsedAt pk")],
  ["delete-session", signedIn("", ["DeleteItem"])],
  ["create-visitor-session", [...within(VISITOR, ["GetItem", "PutItem"], SIGNING), ALLOWANCE]],
  ["list-sessions", [...signedIn(), LIST]],
  ["end-session", [...signedIn("", ["DeleteItem"]), LIST]],
  ["start-passkey-sign-in", [...keys(["PutItem"], "cha_*"), ALLOWANCE]],
  ["create-passkey-session", [...within(PASSKEY, ALL, `${SIGNING} counter lastUsedAt tries`), ALLOWANCE, LIST]],
  ["start-passkey", [...signedIn("", ["PutItem"]), LIST]],
  ["create-passkey", [...signedIn("tries", ["DeleteItem", "PutItem"]), LIST]],
  ["list-passkeys", [...signedIn(), LIST]],
  ["delete-passkey", [...signedIn("", ["DeleteItem"]), LIST]],
  ["choose-plan", signedIn("plan planPicked quota request")],
  ["open-billing", signedIn()],
  ["receive-billing-event", within("acc_*", ["GetItem"], "billing kind pk plan planPicked quota")],
  // It also reads the numbers of messages: see rights.test.ts.
  ["get-operator-overview", [...signedIn(), "dynamodb:Query on quotas"]],
  ["list-operated-accounts", [...signedIn("", ["Scan"]), "dynamodb:Query on quotas"]],
  ["set-operated-plan", [...signedIn("plan planPicked quota request"), "dynamodb:Query on quotas"]],
  ["update-account", signedIn("quotaMails retentionHours webhookUrl")],
  [
    "change-email",
    [
      ...within(SESSION, ALL, "kind lastUsedAt pk email accountId accounts team keys version tries"),
      "dynamodb:UpdateItem on quotas: accountId entry period second taken ttl",
    ],
  ],
  ["start-oidc-sign-in", [...keys(["PutItem"], "cha_*"), ALLOWANCE]],
  ["create-oidc-session", [...within(SESSION, ALL, `${SIGNING} tries`), ALLOWANCE, LIST]],
  ["list-members", signedIn()],
  [
    "invite-member",
    [
      ...keys(["GetItem"]),
      "dynamodb:UpdateItem on keys: kind lastUsedAt pk team",
      "dynamodb:UpdateItem on quotas: accountId entry period second taken ttl",
    ],
  ],
  ["change-member", signedIn("team")],
  ["remove-member", [...signedIn("accounts team", ["DeleteItem"]), LIST]],
  ["accept-invitation", [...within(INVITED, ALL, `${SIGNING} accounts lastUsedAt team`), ALLOWANCE, LIST]],
  ["list-own-accounts", signedIn()],
  ["switch-account", [...signedIn("keys version", ["DeleteItem", "PutItem"]), LIST]],
  ["list-keys", [...signedIn(), "dynamodb:GetItem on quotas", "dynamodb:Query on quotas", LIST]],
  ["create-key", [...signedIn("", ["PutItem"]), LIST]],
  ["update-key", [...signedIn("monthlyLimit origins"), LIST]],
  ["delete-key", [...signedIn("revokedAt"), LIST]],
  ["rotate-key", [...signedIn("expiresAt revokedAt", ["PutItem"]), LIST]],
  ["deploy-site", ["s3:PutObject on PagesBucket/*"]],
];
