import type { Locale } from "../sessions/sign-in-mail.ts";
import type { Mail } from "./account-ports.ts";
import { INVITATION_MS, type Role } from "./members.ts";

/**
 * The email with an invitation. It has a link only if the operator has set the public URL: the inviting client controls
 * the `Host` header, and could direct the invited person to another site, which would get the code.
 */

const days = INVITATION_MS / 86_400_000;

const roleNames: Readonly<Record<Locale, Readonly<Record<Role, string>>>> = {
  en: { owner: "owner", developer: "developer", billing: "billing" },
  de: { owner: "Inhaber", developer: "Entwickler", billing: "Abrechnung" },
};

interface InvitationText {
  readonly inviter: string;
  readonly role: Role;
  readonly code: string;
  /** The page that accepts the code. @default the sign-in page of the service is described */
  readonly url: string | undefined;
}

type Texts = (text: Omit<InvitationText, "role"> & { readonly role: string }) => {
  readonly subject: string;
  readonly lines: readonly string[];
};

const texts: Readonly<Record<Locale, Texts>> = {
  en: ({ inviter, role, code, url }) => ({
    subject: `${inviter} invites you to an Anyform account`,
    lines: [
      "Hello,",
      `${inviter} invites you to join their Anyform account (role: ${role}).`,
      url === undefined
        ? "To accept, open the sign-in page of the service, select “Use an invitation code”, and enter this code:"
        : `To accept, open ${url}, or enter this code on the sign-in page:`,
      `    ${code}`,
      `It expires in ${days} days and can be used once. Anyone with this code can join in your name, so do not pass it on.`,
      "If you do not know the sender, you can ignore this email.",
    ],
  }),
  de: ({ inviter, role, code, url }) => ({
    subject: `${inviter} lädt Sie in ein Konto bei Anyform ein`,
    lines: [
      "Guten Tag,",
      `${inviter} lädt Sie ein, dem Konto bei Anyform beizutreten (Rolle: ${role}).`,
      url === undefined
        ? "Öffnen Sie dazu die Anmeldeseite des Dienstes, wählen Sie „Einladungscode verwenden“, und geben Sie diesen Code ein:"
        : `Öffnen Sie dazu ${url}, oder geben Sie diesen Code auf der Anmeldeseite ein:`,
      `    ${code}`,
      `Er gilt ${days} Tage lang und nur einmal. Wer ihn hat, kann in Ihrem Namen beitreten: Geben Sie ihn nicht weiter.`,
      "Kennen Sie den Absender nicht? Dann ist nichts zu tun.",
    ],
  }),
};

/** @returns the email with the invitation */
export const invitationMail = (to: string, locale: Locale, { role, ...text }: InvitationText): Mail => {
  const { subject, lines } = texts[locale]({ ...text, role: roleNames[locale][role] });
  return { to, subject, text: `${lines.join("\n\n")}\n`, summary: `Invitation for ${to}: ${text.code}` };
};
