import { RECORD_RETENTION_MS } from "../limits.ts";
import { timestamp } from "../times.ts";
import { endpointsFor } from "../webhooks/endpoint.ts";
import { type Announced, endpointMessages, newMessage, quotaTypes, type WebhookMessage } from "../webhooks/message.ts";
import type { QuotaEvent } from "../webhooks/webhook-views.ts";
import type { Mail } from "./account-ports.ts";
import type { Account } from "./plans.ts";
import { type QuotaClaim, quotaReset } from "./quotas.ts";

/**
 * Notices about the quota, once per month and threshold. A notice is a message (`mai_…`) whose ID is derived from the
 * account, the month and the threshold, so that only one of several concurrent requests can add it. Delivering it adds
 * the messages to the endpoints, and sends the email.
 */

/** Percent of the quota, highest first. */
const thresholds = [
  { percent: 100, type: "quota.reached" },
  { percent: 80, type: "quota.warning" },
] as const;

type Percent = (typeof thresholds)[number]["percent"];

/** @returns the highest threshold that the usage has reached; undefined below all of them */
export const thresholdOf = (used: number, limit: number) =>
  limit === 0 ? undefined : thresholds.find(({ percent }) => used * 100 >= limit * percent);

/** @returns the ID of the notice */
export const noticeIdOf = (accountId: string, month: string, percent: Percent): string =>
  `mai_${accountId.replace("acc_", "")}-${month}-${percent}`;

export const isNoticeId = (id: string): boolean => id.startsWith("mai_");

/** @returns the IDs of all notices of a month, which exist if they were sent or will be */
export const noticeIds = (accountId: string, month: string): readonly string[] =>
  thresholds.map(({ percent }) => noticeIdOf(accountId, month, percent));

/** @returns the notice about this usage; undefined if no threshold is reached, or nobody gets it */
export const quotaNotice = (
  account: Account,
  { month, limit }: Pick<QuotaClaim, "limit" | "month">,
  { used, now }: { readonly used: number; readonly now: number },
): WebhookMessage | undefined => {
  const reached = thresholdOf(used, limit);
  if (reached === undefined || account.visitorUntil !== undefined) {
    return undefined;
  }
  const { percent, type } = reached;
  const data = { month, percent, limit, used, resets_at: timestamp(quotaReset(now)) };
  const event: QuotaEvent = { type, timestamp: timestamp(now), data };
  const announcement = {
    type,
    body: JSON.stringify(event),
    // Not before the end of the month: otherwise the notice could be added again.
    recordExpiresAt: Math.max(now + RECORD_RETENTION_MS, quotaReset(now)),
  };
  const notice = { endpoints: endpointsFor(account, quotaTypes), mails: account.quotaMails !== false };
  return newMessage({ id: account.id, accountId: account.id }, announcement, {
    id: noticeIdOf(account.id, month, percent),
    url: "",
    notice,
    now,
  });
};

/** @returns the messages to the endpoints that receive the notice; the same in every call */
export const noticeMessages = (message: WebhookMessage): readonly WebhookMessage[] => {
  const { accountId, createdAt, notice, type, body } = message;
  const announced: Announced = {
    id: message.id,
    accountId,
    createdAt,
    endpoints: { baseUrl: "", to: notice?.endpoints ?? [] },
  };
  return endpointMessages(announced, { type, body }, createdAt).map((each) => ({ ...each, jobId: accountId }));
};

/** @returns the email about the usage, in both languages: the language of the owner is not known */
export const quotaMail = (to: string, { percent, limit, used, month, resets_at }: QuotaEvent["data"]): Mail => {
  const date = resets_at.slice(0, 10);
  const isReached = percent === 100;
  const lines = [
    "Hello,",
    `your Anyform account has used ${used} of ${limit} requests of ${month}.`,
    isReached
      ? `Further requests are rejected until the quota resets on ${date} (UTC). Finished results can still be downloaded.`
      : `At 100 %, further requests are rejected until the quota resets on ${date} (UTC).`,
    "A larger plan applies immediately. You can turn off these emails in your account settings.",
    "Guten Tag,",
    `Ihr Konto bei Anyform hat ${used} von ${limit} Anfragen für ${month} verbraucht.`,
    isReached
      ? `Weitere Anfragen werden bis zum ${date} (UTC) abgelehnt. Fertige Ergebnisse können weiterhin heruntergeladen werden.`
      : `Bei 100 % werden weitere Anfragen bis zum ${date} (UTC) abgelehnt.`,
    "Ein größerer Tarif gilt sofort. Diese E-Mails können Sie in den Einstellungen Ihres Kontos abschalten.",
  ];
  return {
    to,
    subject: `${percent} % of your Anyform quota used / ${percent} % Ihres Kontingents bei Anyform verbraucht`,
    text: `${lines.join("\n\n")}\n`,
    summary: `Quota notice for ${to}: ${used} of ${limit} requests of ${month} used`,
  };
};
