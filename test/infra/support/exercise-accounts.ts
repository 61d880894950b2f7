import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamoClient } from "../../../functions/adapters/clients.ts";
import { routes } from "../../../functions/api/routes.ts";
import { context } from "../../../functions/context.ts";
import { newId } from "../../../functions/domain/ids.ts";
import { SIGNING_KEYS_PAUSE_MS } from "../../../functions/domain/sessions/sign-in-limits.ts";
import { authenticator } from "../../support/browser/authenticator.ts";
import type { MailServer } from "../../support/emulators/ses.ts";
import type { RightsRecorder } from "../../support/rights/rights-recorder.ts";
import { type StripeService, subscriptionRecord } from "../../support/services/stripe.ts";
import { convertInOneCall } from "./exercise-files.ts";

/** Every kind of request about people: sign-in, accounts, keys, plans and payments. */

const MONTH_MS = 30 * 24 * 3_600_000;

/** With a session instead of a key, for missing resources: authentication comes first. */
export const exerciseSignedIn = async (recorder: RightsRecorder): Promise<void> => {
  for (const { auth, methods, path } of routes) {
    if (auth === "key") {
      await recorder.callSignedIn(`${methods[0]} ${path.replace(/\{\w+\}/, "nothing")}`);
    }
  }
};

/** What an account's owner does with keys and plans, and what the payment service sends. */
export const manageAccount = async (recorder: RightsRecorder, stripe: StripeService): Promise<void> => {
  const accountId = await recorder.open("three@example.com");
  const asOwner = recorder.callSignedIn;
  const { id } = await asOwner("POST /api/v1/keys", { name: "laptop" });
  const { id: second } = await asOwner(`POST /api/v1/keys/${id}/rotate`, {});
  await asOwner(`POST /api/v1/keys/${second}`, { monthly_limit: 5, allowed_origins: ["https://example.com"] });
  await asOwner(`POST /api/v1/keys/${second}/rotate`, { overlap_hours: 0 });
  await asOwner(`DELETE /api/v1/keys/${id}`);
  await asOwner("GET /api/v1/keys");
  await recorder.call("GET /api/v1/status");
  await recorder.call("GET /api/v1/account/use");
  await asOwner("POST /api/v1/session/account", {
    webhook_url: "https://example.com/hook",
    retention_hours: 1,
    quota_mails: false,
  });
  for (const plan of ["enterprise", "free", "api"]) {
    await asOwner("POST /api/v1/session/plan", { plan });
  }
  await asOwner("GET /api/v1/session/operator");
  await asOwner("GET /api/v1/session/operator/accounts");
  await asOwner("GET /api/v1/session/operator/accounts?email=three@example.com");
  await asOwner(`POST /api/v1/session/operator/accounts/${accountId}/plan`, { plan: "api" });
  const paid = async (status: string): Promise<void> => {
    stripe.subscriptions.set("sub_1", subscriptionRecord(accountId, { status }));
    const { body, signature } = stripe.message("customer.subscription.updated", { id: "sub_1" });
    const headers = { authorization: undefined, "stripe-signature": signature };
    await recorder.call("POST /api/v1/session/billing/events", { body: JSON.parse(body), headers });
  };
  await paid("active");
  await asOwner("POST /api/v1/session/billing");
  await paid("canceled");
};

/** Changes the address of an account with a job, a key and a session, and deletes it. */
export const closeAccount = async (recorder: RightsRecorder, mailServer: MailServer): Promise<void> => {
  const accountId = await recorder.open("five@example.com");
  await convertInOneCall(recorder, accountId);
  const email = "six@example.com";
  await endMonth(recorder);
  const { challenge_id } = await recorder.callSignedIn("POST /api/v1/session/code", { email });
  await endMonth(recorder);
  await recorder.callSignedIn("POST /api/v1/session/email", { challenge_id, code: codeIn(mailServer) });
  await recorder.callSignedIn("DELETE /api/v1/session/account");
};

const codeIn = ({ messages }: MailServer): string | undefined => /\d{6}/.exec(messages.at(-1)?.subject ?? "")?.[0];

/** Signs in and out in each way; each time after the end of a month, when a signing key is added. */
export const signInAndOut = async (recorder: RightsRecorder, mailServer: MailServer): Promise<void> => {
  const asOwner = recorder.callSignedIn;
  const page = { "sec-fetch-site": "same-origin", authorization: undefined };
  const asVisitor = (target: string, body?: unknown) =>
    recorder.call(target, { headers: page, ...(body !== undefined && { body }) });
  await endMonth(recorder);
  const { challenge_id } = await asVisitor("POST /api/v1/session/code", { email: "four@example.com" });
  const code = codeIn(mailServer);
  await endMonth(recorder);
  await asVisitor("POST /api/v1/session", { challenge_id, code });
  await endMonth(recorder);
  await asVisitor("POST /api/v1/session/visitor");
  const device = authenticator("https://localhost");
  const begun = await asOwner("POST /api/v1/session/passkeys/options");
  const made = { challenge_id: begun.challenge_id, name: "a", credential: device.create(begun.options) };
  const passkey = await asOwner("POST /api/v1/session/passkeys", made);
  const requested = await asVisitor("POST /api/v1/session/passkey/options");
  const answer = { challenge_id: requested.challenge_id, credential: device.get(requested.options) };
  await endMonth(recorder);
  await asVisitor("POST /api/v1/session/passkey", answer);
  await asOwner("GET /api/v1/session/passkeys");
  await asOwner(`DELETE /api/v1/session/passkeys/${passkey.id}`);
  const { sessions } = await asOwner("GET /api/v1/session/devices");
  await asOwner(`DELETE /api/v1/session/devices/${sessions.at(-1).id}`);
  await asOwner("GET /api/v1/session");
  await asOwner("DELETE /api/v1/session");
};

/**
 * Makes the signing keys a month older, and has this process read them, which it does for an unknown key in a cookie.
 */
const endMonth = async ({ call }: RightsRecorder): Promise<void> => {
  const { ANYFORM_KEYS_TABLE: TableName } = process.env;
  const keys = (await context().sessions.signingKeys()).map((key) => ({ ...key, createdAt: key.createdAt - MONTH_MS }));
  const update = { UpdateExpression: "SET #keys = :keys", ExpressionAttributeNames: { "#keys": "keys" } };
  const values = { ExpressionAttributeValues: { ":keys": keys } };
  await dynamoClient().send(new UpdateCommand({ TableName, Key: { pk: "signing" }, ...update, ...values }));
  await setTimeout(SIGNING_KEYS_PAUSE_MS);
  const unknown = `${"0".repeat(43)}.${newId("signing", Date.now(), randomBytes)}.${"0".repeat(43)}`;
  await call("GET /api/v1/session", { headers: { cookie: `__Host-anyform=${unknown}`, authorization: undefined } });
};
