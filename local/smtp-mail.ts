import { createTransport } from "nodemailer";
import type { MailSender } from "../functions/domain/account-ports.ts";
import { RequestError } from "../functions/domain/errors.ts";

/** Milliseconds to connect, to be greeted, and without a sign of life. */
const CONNECT_MS_MAX = 5_000;
const SILENCE_MS_MAX = 10_000;

/** What an operator sets for mail by SMTP. */
export interface SmtpSettings {
  /** `smtps://user:password@mail.example.com`, or `smtp://…`, which turns to TLS where the server has it. */
  readonly url: string;
  /** The sender, `Anyform <codes@example.com>`. */
  readonly from: string;
}

/** Mail by a server that speaks SMTP. */
export const smtpMail = ({ url, from }: SmtpSettings): MailSender => {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // Nothing in a message of ours is a path or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      try {
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
      } catch (error) {
        throw unsent(error);
      }
    },
  };
};

/** What a mail server says may name the address, and what the transport says may hold the password: neither is for a log. */
const unsent = (error: unknown): RequestError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return new RequestError(
    "temporarily_unavailable",
    `The message could not be sent (${code}). Try again in a minute.`,
    {
      headers: { "retry-after": "60" },
    },
  );
};
