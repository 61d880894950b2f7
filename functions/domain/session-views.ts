import * as z from "zod/mini";
import { count, flag, id, orNull, text, time } from "./fields.ts";
import { described } from "./options/described.ts";
import { plans } from "./plans.ts";

/** The answers about signing in as schemas: see domain/views.ts. */

const plan = (description: string) =>
  described(z.enum(Object.keys(plans) as [keyof typeof plans, ...(keyof typeof plans)[]]), description);
const by = () => described(z.enum(["code", "passkey", "visitor"]), "How somebody signed in.");

export const ownerSchema = described(
  z.strictObject({
    id: id("acc", "Of the account."),
    email: orNull(text("The address that codes are sent to; null for a visitor.")),
    plan: plan("What the account pays for."),
    plan_picked: flag("Whether its owner has picked a plan."),
    requested_plan: orNull(
      described(
        z.strictObject({ plan: plan("What was asked for."), at: time("When.") }),
        "A plan that was asked of the operator; null: none.",
      ),
    ),
    billing: orNull(
      described(
        z.strictObject({
          status: described(
            z.enum(["active", "past_due", "ended"]),
            "`past_due` while a payment that failed is tried again.",
          ),
          paid_until: orNull(time("Until when the plan is paid for.")),
          ends_then: flag("Whether the subscription ends then."),
        }),
        "What the payment service tells; null where there is no subscription.",
      ),
    ),
    webhook_url: orNull(text("Where the end of jobs is told that name no address of their own.")),
    retention_hours: count("Hours that files stay after their job has ended; 0: until the first download."),
    visitor_until: orNull(time("When a visitor's account goes; null: it stays.")),
  }),
  "An account as its owner sees it.",
);

export const sessionSchema = described(
  z.strictObject({
    account: orNull(ownerSchema),
    session: orNull(
      described(
        z.strictObject({ id: id("ses", "Of the session."), by: by(), expires_at: time("When it ends.") }),
        "The session of this browser; null: nobody is signed in.",
      ),
    ),
    offers: described(
      z.strictObject({
        codes: flag("Whether codes can be sent to sign in with."),
        payments: flag("Whether plans are paid for here; they are asked of the operator otherwise."),
        visitors: flag("Whether a few files may be tried without an account."),
        upload_bytes_max: count("Bytes of a file that one multipart form may bring; larger ones are announced."),
      }),
      "What this deployment offers.",
    ),
  }),
  "Who is signed in, and what may be done.",
);

export const challengeSchema = described(
  z.strictObject({
    challenge_id: id("cha", "What `createSession` takes with the code."),
    expires_at: time("Until when the code holds."),
  }),
  "A code that was sent.",
);

export const deviceListSchema = described(
  z.strictObject({
    sessions: described(
      z.array(
        z.strictObject({
          id: id("ses", "Of the session."),
          device: text("The browser and its system, as it says itself."),
          by: by(),
          created_at: time("When somebody signed in."),
          last_used_at: time("When the page was opened last, to the hour."),
          expires_at: time("When it ends."),
          current: flag("Whether it is the session of this browser."),
        }),
      ),
      "The one that was used last comes first.",
    ),
  }),
  "Where an account is signed in.",
);

const options = (call: string) =>
  described(z.record(z.string(), z.unknown()), `What \`navigator.credentials.${call}\` takes, as JSON (WebAuthn).`);

export const passkeyRequestSchema = described(
  z.strictObject({
    challenge_id: id("cha", "What `createPasskeySession` takes with the passkey's answer."),
    options: options("get"),
  }),
  "A challenge for a passkey.",
);

export const passkeyCreationSchema = described(
  z.strictObject({
    challenge_id: id("cha", "What `createPasskey` takes with the new passkey."),
    options: options("create"),
  }),
  "A challenge for a new passkey.",
);

export const passkeySchema = described(
  z.strictObject({
    id: text("Of the passkey."),
    name: text("As its owner calls it."),
    created_at: time("When it was added."),
    last_used_at: orNull(time("When somebody signed in with it last; null: never.")),
  }),
  "A passkey.",
);

export const passkeyListSchema = described(
  z.strictObject({ passkeys: described(z.array(passkeySchema), "The newest first.") }),
  "The passkeys of an account.",
);

export type OwnerView = z.infer<typeof ownerSchema>;
export type SessionView = z.infer<typeof sessionSchema>;
export type ChallengeView = z.infer<typeof challengeSchema>;
export type DeviceListView = z.infer<typeof deviceListSchema>;
export type PasskeyView = z.infer<typeof passkeySchema>;
