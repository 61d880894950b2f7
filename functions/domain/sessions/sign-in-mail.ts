import type { Mail } from "../accounts/account-ports.ts";
import { CODE_MS } from "./sign-in-limits.ts";

/**
 * The email with a sign-in code. It contains no link, so that users do not learn to follow links: the requester of a
 * code controls the `Host` header, and could direct someone else to another site.
 */

export const locales = ["en", "de"] as const;

export type Locale = (typeof locales)[number];

const minutes = CODE_MS / 60_000;

const texts: Readonly<Record<Locale, (code: string) => { readonly subject: string; readonly lines: string[] }>> = {
  en: (code) => ({
    subject: `${code} is your Anyform sign-in code`,
    lines: [
      "Hello,",
      `your Anyform sign-in code is:`,
      `    ${code}`,
      `It expires in ${minutes} minutes and can be used once. Enter it only on the page where you requested it. Anyform will never ask you for this code.`,
      "If you did not request this code, you can ignore this email. Nobody can sign in without the code.",
    ],
  }),
  de: (code) => ({
    subject: `${code} ist Ihr Code für die Anmeldung bei Anyform`,
    lines: [
      "Guten Tag,",
      "das ist Ihr Code für die Anmeldung bei Anyform:",
      `    ${code}`,
      `Er gilt ${minutes} Minuten lang und nur einmal. Geben Sie ihn nur auf der Seite ein, auf der Sie ihn angefordert haben; niemand von Anyform wird Sie je danach fragen.`,
      "Haben Sie ihn nicht angefordert? Dann ist nichts zu tun: Ohne diesen Code kommt niemand hinein.",
    ],
  }),
};

/** @returns the email that informs the previous address of an account, in both languages */
export const addressChangedMail = (to: string, email: string): Mail => ({
  to,
  subject: "The email address of your Anyform account was changed / Ihre Adresse bei Anyform wurde geändert",
  text: `${[
    "Hello,",
    `the email address of your Anyform account is now ${email}. Sign-in codes are sent there.`,
    "If you did not change it, contact the operator of this service at once.",
    "Guten Tag,",
    `die E-Mail-Adresse Ihres Kontos bei Anyform ist jetzt ${email}. Codes für die Anmeldung werden dorthin gesendet.`,
    "Haben Sie sie nicht geändert? Dann wenden Sie sich sofort an den Betreiber dieses Dienstes.",
  ].join("\n\n")}\n`,
  summary: `Address changed from ${to} to ${email}`,
});

/** @returns the email with the code */
export const signInMail = (to: string, code: string, locale: Locale): Mail => {
  const { subject, lines } = texts[locale](code);
  return { to, subject, text: `${lines.join("\n\n")}\n`, summary: `Sign-in code for ${to}: ${code}` };
};
