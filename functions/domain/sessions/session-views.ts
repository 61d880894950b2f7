import * as z from "zod/mini";
import { roleField } from "../accounts/member-views.ts";
import { planIds } from "../accounts/plans.ts";
import { described } from "../conversions/options/described.ts";
import { count, flag, id, orNull, text, time } from "../fields.ts";

/** Sessions and passkeys as the API returns them: see uploads/upload-views.ts. */

const plan = (description: string) => described(z.enum(planIds), description);
const by = () =>
  described(z.enum(["code", "identity", "invitation", "passkey", "visitor"]), "How the session was started.");

export const ownerSchema = described(
  z.strictObject({
    id: id("acc", "Account ID."),
    email: orNull(text("The email address. Null for a visitor.")),
    plan: plan("The plan of the account."),
    plan_picked: flag("Whether the owner has picked a plan."),
    requested_plan: orNull(
      described(
        z.strictObject({ plan: plan("The requested plan."), at: time("When it was requested.") }),
        "A plan requested from the operator. Null: none.",
      ),
    ),
    billing: orNull(
      described(
        z.strictObject({
          status: described(z.enum(["active", "past_due", "ended"]), "`past_due` while a failed payment is retried."),
          paid_until: orNull(time("The end of the paid period.")),
          ends_then: flag("Whether the subscription ends then instead of renewing."),
        }),
        "The subscription. Null if there is none.",
      ),
    ),
    quota_mails: flag("Whether emails are sent when 80 % and 100 % of the monthly quota are used."),
    webhook_url: orNull(text("The default webhook URL of jobs.")),
    retention_hours: count("Hours that files are kept after their job. 0: until the first download."),
    visitor_until: orNull(time("When a visitor's account is deleted. Null for other accounts.")),
  }),
  "The account, as shown to its owner.",
);

export const sessionSchema = described(
  z.strictObject({
    account: orNull(ownerSchema),
    operator: flag("Whether the owner of the account operates this deployment."),
    session: orNull(
      described(
        z.strictObject({
          id: id("ses", "Session ID."),
          by: by(),
          expires_at: time("When the session expires."),
          member_id: id("mem", "The member of the account who is signed in."),
          email: orNull(text("The email address of the member. Null for a visitor.")),
          role: roleField(),
        }),
        "The session of this browser. Null: signed out.",
      ),
    ),
    offers: described(
      z.strictObject({
        codes: flag("Whether sign-in codes can be emailed."),
        identity_provider: orNull(
          text("The name of the identity provider that users can sign in with. Null: there is none."),
        ),
        payments: flag("Whether plans are paid for online. Otherwise they are requested from the operator."),
        visitors: flag("Whether visitors can convert a few files without an account."),
        upload_bytes_max: count(
          "Maximum size in bytes of a file in a multipart form. Send larger files with `filename` and `size` first.",
        ),
      }),
      "What this server offers.",
    ),
  }),
  "The current session and account, and what this server offers.",
);

export const challengeSchema = described(
  z.strictObject({
    challenge_id: id("cha", "The challenge ID to pass to `createSession`."),
    expires_at: time("When the code expires."),
  }),
  "A sign-in code that was sent.",
);

export const deviceListSchema = described(
  z.strictObject({
    sessions: described(
      z.array(
        z.strictObject({
          id: id("ses", "Session ID."),
          device: text("The browser and operating system, from its user agent."),
          by: by(),
          created_at: time("When the session started."),
          last_used_at: time("When the session was last used, to the hour."),
          expires_at: time("When the session expires."),
          current: flag("Whether this is the session of the request."),
        }),
      ),
      "Sessions, last used first.",
    ),
  }),
  "The sessions of an account.",
);

const options = (call: string) =>
  described(z.record(z.string(), z.unknown()), `Options for \`navigator.credentials.${call}\`, as JSON (WebAuthn).`);

export const passkeyRequestSchema = described(
  z.strictObject({
    challenge_id: id("cha", "The challenge ID to pass to `createPasskeySession`."),
    options: options("get"),
  }),
  "A challenge to sign in with a passkey.",
);

export const passkeyCreationSchema = described(
  z.strictObject({
    challenge_id: id("cha", "The challenge ID to pass to `createPasskey`."),
    options: options("create"),
  }),
  "A challenge to add a passkey.",
);

export const passkeySchema = described(
  z.strictObject({
    id: text("Passkey ID."),
    name: text("The name of the passkey."),
    created_at: time("When the passkey was added."),
    last_used_at: orNull(time("When the passkey was last used. Null: never.")),
  }),
  "A passkey.",
);

export const passkeyListSchema = described(
  z.strictObject({ passkeys: described(z.array(passkeySchema), "Passkeys, newest first.") }),
  "The passkeys of an account.",
);

export type OwnerView = z.infer<typeof ownerSchema>;
export type SessionView = z.infer<typeof sessionSchema>;
export type ChallengeView = z.infer<typeof challengeSchema>;
export type DeviceListView = z.infer<typeof deviceListSchema>;
export type PasskeyView = z.infer<typeof passkeySchema>;
