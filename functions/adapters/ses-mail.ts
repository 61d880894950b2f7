import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import type { MailSender } from "../domain/account-ports.ts";
import { RequestError } from "../domain/errors.ts";

/** Milliseconds to connect and to wait for a sign of life; with one more try they fit in the 10 s of a request. */
const QUICK = { connectionTimeout: 2_000, socketTimeout: 2_500 };
const ATTEMPTS_MAX = 2;

export const sesClient = (): SESv2Client => new SESv2Client({ requestHandler: QUICK, maxAttempts: ATTEMPTS_MAX });

/**
 * Mail by Amazon SES.
 *
 * @param from the sender, which is an identity of SES: `Anyform <codes@example.com>`
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

/** The messages of SES name the address, which is for no log: what is told is the name of the error alone. */
const unsent = (error: unknown): RequestError => {
  const name = error instanceof Error ? error.name : "unknown";
  return new RequestError(
    "temporarily_unavailable",
    `The message could not be sent (${name}). Try again in a minute.`,
    {
      headers: { "retry-after": "60" },
    },
  );
};
