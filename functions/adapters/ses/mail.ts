import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import type { MailSender } from "../../domain/accounts/account-ports.ts";
import { RequestError } from "../../domain/errors.ts";

/** Connection and idle timeouts in milliseconds; with one retry they fit in the 10 s of a request. */
const QUICK = { connectionTimeout: 2_000, socketTimeout: 2_500 };
const ATTEMPTS_MAX = 2;

export const sesClient = (): SESv2Client => new SESv2Client({ requestHandler: QUICK, maxAttempts: ATTEMPTS_MAX });

/**
 * Email through Amazon SES.
 *
 * @param from the sender, an SES identity: `Anyform <codes@example.com>`
 */
export const sesMail = (client: SESv2Client, from: string): MailSender => ({
  send: async ({ to, subject, text }) => {
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: { Data: subject, Charset: "UTF-8" },
          Body: { Text: { Data: text, Charset: "UTF-8" } },
        },
      },
    });
    try {
      await client.send(command);
    } catch (error) {
      throw unsent(error);
    }
  },
});

/** SES messages contain the address, which must not be logged, so only the error name is reported. */
const unsent = (error: unknown): RequestError => {
  const name = error instanceof Error ? error.name : "unknown";
  return new RequestError("temporarily_unavailable", `Could not send the email (${name}). Try again in a minute.`, {
    headers: { "retry-after": "60" },
  });
};
