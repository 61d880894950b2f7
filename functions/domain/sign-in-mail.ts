import type { Mail } from "./account-ports.ts";
import { CODE_MS } from "./sign-in-limits.ts";

/**
 * The message that a sign-in code comes in. It holds no link, so that nobody learns to follow one: whoever asks for a code
 * names the host that the request goes to, and could have a stranger sent elsewhere.
 */

export const locales = ["en", "de"] as const;

export type Locale = (typeof locales)[number];

const minutes = CODE_MS / 60_000;

const texts: Readonly<Record<Locale, (code: string) => { readonly subject: string; readonly lines: string[] }>> = {
  en: (code) => ({
    subject: `${code} is your code to sign in to Anyform`,
    lines: [
      "Hello,",
      `this is your code to sign in to Anyform:`,
      `    ${code}`,
      `It holds for ${minutes} minutes and works once. Type it only into the page that you asked for it on; nobody from Anyform will ever ask you for it.`,
      "Was it not you who asked? Then there is nothing to do: without this code nobody gets in.",
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

/** @returns the message that brings the code to the address */
export const signInMail = (to: string, code: string, locale: Locale): Mail => {
  const { subject, lines } = texts[locale](code);
  return { to, subject, text: `${lines.join("\n\n")}\n`, summary: `Sign-in code for ${to}: ${code}` };
};
