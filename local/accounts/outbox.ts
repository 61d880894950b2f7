import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mail, MailSender } from "../../functions/domain/accounts/account-ports.ts";
import { newId, type RandomBytes } from "../../functions/domain/ids.ts";

/** Number of messages to keep; older ones are deleted. */
const MESSAGES_MAX = 100;

/** The sender of undelivered messages. */
const FROM = { name: "Anyform", address: "anyform@localhost" };

interface OutboxOptions {
  readonly folder: string;
  /** Shows a line to the operator. It contains a code, so it is printed to the terminal and never logged. */
  readonly show: (line: string) => void;
  readonly clock: () => number;
  readonly random: RandomBytes;
}

/**
 * Mail without a mail server: writes each message to a file that only the operator can read, and a line to the
 * terminal.
 */
export const outbox = ({ folder, show, clock, random }: OutboxOptions): MailSender => ({
  send: async (mail) => {
    const now = clock();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const time = new Date(now).toISOString().replace(/[:.]/g, "-");
    const name = `${time}-${newId("webhook", now, random).slice(-8)}.eml`;
    await writeFile(join(folder, name), await messageOf(mail, now), { mode: 0o600, flag: "wx" });
    await tidy(folder);
    show(mail.summary);
  },
});

const messageOf = async ({ to, subject, text }: Mail, now: number): Promise<Buffer> => {
  // Takes memory that a service without sign-ins does not need.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  return new MailComposer({
    from: FROM,
    to: { name: "", address: to },
    subject,
    text,
    date: new Date(now),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
};

/** Names start with the time, so they sort chronologically. */
const tidy = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml")).sort();
  const old = names.slice(0, Math.max(0, names.length - MESSAGES_MAX));
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
};
