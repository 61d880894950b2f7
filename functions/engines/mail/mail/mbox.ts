import type { Message } from "./message.ts";

/**
 * Splits a mailbox into its messages (RFC 4155, with `mboxrd` quoting of lines that start with `From `).
 *
 * @returns the bytes of each message, in order
 */
export const splitMbox = function* (bytes: Buffer): Generator<Buffer> {
  let start = bytes.indexOf("\n") + 1;
  while (start > 0 && start < bytes.length) {
    const next = nextSeparator(bytes, start);
    yield unmarked(bytes.subarray(start, next));
    start = bytes.indexOf("\n", next) + 1;
  }
};

/** @returns the offset of the next separator line; the end of the mailbox after the last message */
const nextSeparator = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf("\nFrom ", from - 1);
  while (at !== -1 && !isSeparator(bytes, at + 1)) {
    at = bytes.indexOf("\nFrom ", at + 1);
  }
  return at === -1 ? bytes.length : at + 1;
};

/** A separator follows an empty line and contains a time. */
const isSeparator = (bytes: Buffer, at: number): boolean => {
  const before = bytes.toString("latin1", Math.max(0, at - 3), at);
  const end = bytes.indexOf("\n", at);
  const line = bytes.toString("latin1", at, Math.min(end === -1 ? bytes.length : end, at + 200));
  return /\n\r?\n$/.test(before) && /\d{1,2}:\d{2}/.test(line);
};

const unmarked = (message: Buffer): Buffer =>
  message.includes("\n>From ") || message.includes("\n>>")
    ? Buffer.from(message.toString("latin1").replaceAll(/^>(>*From )/gm, "$1"), "latin1")
    : message;

/** @returns the length of the text without trailing empty lines */
const endOf = (text: string): number => {
  let end = text.length;
  while (text[end - 1] === "\n") {
    end -= text[end - 2] === "\r" ? 2 : 1;
  }
  return end;
};

/** @returns the message in mailbox format */
export const inMbox = ({ from, date }: Message, bytes: Buffer): Buffer => {
  const address = /(?<![^\s<>])[^\s<>]+@[^\s<>]+/.exec(from)?.[0] ?? "MAILER-DAEMON";
  const sent = new Date(Number.isNaN(Date.parse(date)) ? 0 : date);
  const [day = "", number = "", month = "", year = "", time = ""] = sent.toUTCString().replace(",", "").split(" ");
  const marked = bytes.toString("latin1").replaceAll(/^(>*From )/gm, ">$1");
  const body = `From ${address} ${day} ${month} ${number} ${time} ${year}\n${marked}`;
  return Buffer.from(`${body.slice(0, endOf(body))}\n\n`, "latin1");
};
