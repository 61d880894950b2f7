import type { Transporter } from "nodemailer";
import type { MailSender } from "../../functions/domain/accounts/account-ports.ts";
import { RequestError } from "../../functions/domain/errors.ts";

/** Timeouts in milliseconds to connect, for the greeting, and without data. */
const CONNECT_MS_MAX = 5_000;
const SILENCE_MS_MAX = 10_000;

/** SMTP settings. */
export interface SmtpSettings {
  /** `smtps://user:password@mail.example.com`, or `smtp://…`, which upgrades to TLS if the server supports it. */
  readonly url: string;
  /** The sender, `Anyform <codes@example.com>`. */
  readonly from: string;
}

/** Sends mail by SMTP. */
export const smtpMail = ({ url, from }: SmtpSettings): MailSender => {
  let opening: Promise<Transporter> | undefined;
  return {
    send: async ({ to, subject, text }) => {
      opening ??= openTransport(url);
      const transport = await opening;
      try {
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
      } catch (error) {
        throw unsent(error);
      }
    },
  };
};

/** The library is loaded with the first message. */
const openTransport = async (url: string): Promise<Transporter> => {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // Messages never refer to files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

/**
 * Errors of the mail server can contain the address, and errors of the transport the password: neither may be logged.
 */
const unsent = (error: unknown): RequestError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return new RequestError("temporarily_unavailable", `The email could not be sent (${code}). Try again in a minute.`, {
    headers: { "retry-after": "60" },
  });
};
