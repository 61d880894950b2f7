import { founderOf, type Member, memberOf } from "../../domain/accounts/members.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import { FILE_RETENTION_MS } from "../../domain/limits.ts";
import { isOperator } from "../../domain/operators/operating.ts";
import type { Context } from "../../domain/ports.ts";
import type { Passkey, Session } from "../../domain/sessions/session.ts";
import type { OwnerView, PasskeyView, SessionView } from "../../domain/sessions/session-views.ts";
import { HOUR_MS, timestamp } from "../../domain/times.ts";

/** The parts of the context that determine the features of a deployment. */
type Offering = Pick<
  Context,
  "billing" | "identity" | "mail" | "operating" | "signInCodes" | "uploadBytesMax" | "visitors"
>;

/** @returns the current session, if any, as the API returns it */
export const sessionView = (context: Offering, signedIn?: SignedIn): SessionView => ({
  account: signedIn === undefined ? null : ownerView(signedIn.account),
  operator: signedIn !== undefined && isOperator(context.operating, signedIn.account, memberIn(signedIn).email),
  session: signedIn === undefined ? null : currentView(signedIn),
  offers: {
    codes: context.mail !== undefined && context.signInCodes !== false,
    identity_provider: context.identity?.name ?? null,
    payments: context.billing !== undefined,
    visitors: context.visitors === true,
    upload_bytes_max: context.uploadBytesMax,
  },
});

interface SignedIn {
  readonly account: Account;
  readonly session: Session;
}

const memberIn = ({ account, session }: SignedIn): Member => memberOf(account, session.memberId) ?? founderOf(account);

const currentView = ({ account, session }: SignedIn) => {
  const { id, by, expiresAt } = session;
  const member = memberIn({ account, session });
  return {
    id,
    by,
    expires_at: timestamp(expiresAt),
    member_id: member.id,
    email: account.visitorUntil === undefined ? member.email : null,
    role: member.role,
  };
};

/** @returns the account as shown to its owner */
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
  quota_mails: account.quotaMails !== false,
  webhook_url: account.webhookUrl ?? null,
  retention_hours: account.retentionHours ?? FILE_RETENTION_MS / HOUR_MS,
  visitor_until: timeOrNull(account.visitorUntil),
});

/** @returns the passkey as shown to its owner */
export const passkeyView = ({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id,
  name,
  created_at: timestamp(createdAt),
  last_used_at: timeOrNull(lastUsedAt),
});

const timeOrNull = (time: number | undefined): string | null => (time === undefined ? null : timestamp(time));
