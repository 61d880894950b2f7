import { noticeMessages, quotaMail } from "../domain/accounts/quota-notices.ts";
import { WEBHOOK_ATTEMPT_MS_MAX } from "../domain/limits.ts";
import type { QuotaEvent } from "../domain/webhooks/webhook-views.ts";
import { DeliveryEnded, deliverMessage } from "./delivery.ts";

/** The status of an email that the mail server has accepted, for the record of the attempt. */
const ACCEPTED = 202;

/** Announces a quota: adds and queues the messages to the endpoints, and sends the email. A failed email is retried. */
export const deliverNotice = deliverMessage({
  name: "notice",
  claimMs: 2 * WEBHOOK_ATTEMPT_MS_MAX,
  send: async ({ accounts, mail, tasks, webhooks }, notice) => {
    const account = await accounts.getAccount(notice.accountId);
    if (account === undefined) {
      throw new DeliveryEnded("The account was deleted.");
    }
    for (const message of noticeMessages(notice)) {
      if (await webhooks.create(message)) {
        await tasks.deliver(message, 0);
      }
    }
    if (notice.notice?.mails === true) {
      // Only `quotaNotice` writes the bodies of notices.
      const { data } = JSON.parse(notice.body) as QuotaEvent;
      await mail?.send(quotaMail(account.email, data));
    }
    return { answered: ACCEPTED };
  },
  note: async () => {},
});
