import { FILE_RETENTION_MS } from "../domain/limits.ts";
import type { Account } from "../domain/plans.ts";
import type { Context } from "../domain/ports.ts";
import type { OwnerView, PasskeyView, SessionView } from "../domain/session-views.ts";
import type { Passkey, Session } from "../domain/sessions.ts";
import { HOUR_MS, timestamp } from "../domain/times.ts";

/** What of the world tells what a deployment offers. */
type Offering = Pick<Context, "billing" | "mail" | "uploadBytesMax" | "visitors">;

/** @returns who is signed in, if anybody, as the API shows it */
export const sessionView = (
  context: Offering,
  signedIn?: { readonly account: Account; readonly session: Session },
): SessionView => ({
  account: signedIn === undefined ? null : ownerView(signedIn.account),
  session: signedIn === undefined ? null : currentView(signedIn.session),
  offers: {
    codes: context.mail !== undefined,
    payments: context.billing !== undefined,
    visitors: context.visitors === true,
    upload_bytes_max: context.uploadBytesMax,
  },
});

const currentView = ({ id, by, expiresAt }: Session) => ({ id, by, expires_at: timestamp(expiresAt) });

/** @returns the account as its owner sees it */
export const ownerView = (account: Account): OwnerView => ({
  id: account.id,
  email: account.visitorUntil === undefined ? account.email : null,
  plan: account.plan,
  plan_picked: account.planPicked === true,
  requested_plan: account.request ? { plan: account.request.plan, at: timestamp(account.request.at) } : null,
  billing: account.billing
    ? {
        status: account.billing.status,
        paid_until: timeOrNull(account.billing.paidUntil),
        ends_then: account.billing.endsThen === true,
      }
    : null,
  webhook_url: account.webhookUrl ?? null,
  retention_hours: account.retentionHours ?? FILE_RETENTION_MS / HOUR_MS,
  visitor_until: timeOrNull(account.visitorUntil),
});

/** @returns the passkey as its owner sees it */
export const passkeyView = ({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id,
  name,
  created_at: timestamp(createdAt),
  last_used_at: timeOrNull(lastUsedAt),
});

const timeOrNull = (time: number | undefined): string | null => (time === undefined ? null : timestamp(time));
