import { JobError } from "../../../domain/errors.ts";

/** A message in the model that all mail formats share. Addresses are formatted as `Ana <ana@example.com>`. */
export interface Message {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  /** In ISO 8601, or as written in the message when it is not a valid date. */
  readonly date: string;
  readonly messageId: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  /** All header fields in order, unfolded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly filename: string;
  readonly mediaType: string;
  /** Without angle brackets: the value that `cid:` in the HTML refers to. */
  readonly contentId: string | undefined;
  /** Whether the body displays it. */
  readonly inline: boolean;
  readonly bytes: Uint8Array;
}

/** The lines at the top of a displayed message, by label. */
export const headingOf = (message: Message): [string, string][] =>
  (
    [
      ["From", message.from],
      ["To", message.to],
      ["Cc", message.cc],
      ["Bcc", message.bcc],
      ["Date", shownDate(message)],
    ] as [string, string][]
  ).filter(([, value]) => value !== "");

/**
 * @returns the date for readers of any language: `2018-03-21 23:14 +01:00` at the sender's place, otherwise in UTC; the
 * text of the message when it is not a valid date
 */
const shownDate = ({ date, headers }: Pick<Message, "date" | "headers">): string => {
  const time = Date.parse(date);
  if (Number.isNaN(time)) {
    return date;
  }
  const sent = headers.find(({ name }) => name.toLowerCase() === "date")?.value ?? "";
  const [, sign, hours, minutes] = /\s([+-])([01]\d)([0-5]\d)\b/.exec(sent) ?? [];
  // The header of another moment, such as that of a draft, does not say where the message was sent.
  if (sign === undefined || Date.parse(sent.replace(/\s\(.*$/, "")) !== time) {
    return `${minuteOf(time)} UTC`;
  }
  const offset = (sign === "-" ? -60_000 : 60_000) * (60 * Number(hours) + Number(minutes));
  return `${minuteOf(time + offset)} ${sign}${hours}:${minutes}`;
};

const minuteOf = (time: number): string => new Date(time).toISOString().slice(0, 16).replace("T", " ");

/** @returns the attachments that the body does not display */
export const filesOf = ({ attachments }: Message): readonly Attachment[] => attachments.filter(({ inline }) => !inline);

/** The error for bytes that a mail library cannot parse. */
export const notAMessage = (cause: unknown): JobError =>
  new JobError("source_corrupt", "The file could not be read as a message.", { cause });
