import PostalMime, { type Address, type Mailbox, type Attachment as Part } from "postal-mime";
import { type Attachment, type Message, notAMessage } from "./message.ts";

/** Maximum nesting of parts, including messages within messages. */
const PART_DEPTH_MAX = 50;

/**
 * Reads a message (RFC 5322 with MIME). Messages inside of it become attachments.
 *
 * @throws JobError `source_corrupt`
 */
export const readEml = async (bytes: Uint8Array): Promise<Message> => {
  const email = await PostalMime.parse(withoutPreamble(bytes), {
    maxNestingDepth: PART_DEPTH_MAX,
    forceRfc822Attachments: true,
  }).catch((error: unknown) => {
    throw notAMessage(error);
  });
  return {
    subject: email.subject ?? "",
    from: shown(email.from === undefined ? [] : [email.from]),
    to: shown(email.to),
    cc: shown(email.cc),
    bcc: shown(email.bcc),
    date: email.date ?? "",
    messageId: email.messageId ?? "",
    text: email.text,
    html: email.html,
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: email.attachments.map(attachmentOf),
  };
};

/** Apple Mail writes the number of bytes on a separate line before the message (`.emlx`). */
const withoutPreamble = (bytes: Uint8Array): Uint8Array => {
  const length = /^\s*(\d{1,12})\s*\n/.exec(Buffer.from(bytes.subarray(0, 32)).toString("latin1"));
  return length === null ? bytes : bytes.subarray(length[0].length, length[0].length + Number(length[1]));
};

const shown = (addresses: readonly Address[] = []): string =>
  addresses
    .map((address) =>
      address.group === undefined
        ? mailbox(address)
        : `${address.name}: ${address.group.map((member) => mailbox(member)).join(", ")};`,
    )
    .join(", ");

/** A name with characters that are special in address lists is quoted (RFC 5322, 3.2.3). */
const mailbox = ({ name, address }: Mailbox): string => {
  const quoted = /[",:;<>@()[\]\\]/.test(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : name;
  return name === "" ? address : `${quoted} <${address}>`;
};

const attachmentOf = (
  { filename, mimeType, contentId, disposition, related, content }: Part,
  index: number,
): Attachment => ({
  filename: filename || `attachment-${index + 1}${EXTENSIONS.get(mimeType) ?? ""}`,
  mediaType: mimeType,
  contentId: contentId?.replace(/^<|>$/g, ""),
  inline: related === true || (disposition === "inline" && contentId !== undefined),
  bytes: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
});

/** For parts without a file name. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["message/rfc822", ".eml"],
  ["text/calendar", ".ics"],
  ["text/plain", ".txt"],
  ["text/html", ".html"],
  ["image/png", ".png"],
  ["image/jpeg", ".jpg"],
  ["image/gif", ".gif"],
  ["application/pdf", ".pdf"],
]);
