import { JobError } from "../../domain/errors.ts";

/** A message as all mail formats have it. Addresses are as they are shown: `Ana <ana@example.com>`. */
export interface Message {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  /** As ISO 8601, or as the message has it where that is no date. */
  readonly date: string;
  readonly messageId: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  /** All header fields in their order, unfolded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly filename: string;
  readonly mediaType: string;
  /** Without its angle brackets: what `cid:` in the HTML refers to. */
  readonly contentId: string | undefined;
  /** Whether the body shows it. */
  readonly inline: boolean;
  readonly bytes: Uint8Array;
}

/** What is shown at the head of a message, by its label. */
export const headingOf = (message: Message): [string, string][] =>
  (
    [
      ["From", message.from],
      ["To", message.to],
      ["Cc", message.cc],
      ["Bcc", message.bcc],
      ["Date", message.date],
    ] as [string, string][]
  ).filter(([, value]) => value !== "");

/** @returns the attachments that the body does not show */
export const filesOf = ({ attachments }: Message): readonly Attachment[] => attachments.filter(({ inline }) => !inline);

/** What a mail library throws at bytes that are no message. */
export const notAMessage = (cause: unknown): JobError =>
  new JobError("source_corrupt", "The file could not be read as a message.", { cause });
