import { convert as textFromHtml } from "html-to-text";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Warning } from "../../../domain/warning.ts";
import { type CleanHtml, cleanHtml } from "../../documents/html/html.ts";
import { escapeText } from "../../documents/html/tree.ts";
import { filesOf, headingOf, type Message } from "./message.ts";

/** Media types of pictures that browsers display. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|bmp)$/;

/**
 * @param embeds whether the attachments are also embedded as files; otherwise a warning says that they are only listed
 * @returns the message as a page: headers, body with embedded pictures, and the names of attachments
 */
export const asHtml = (message: Message, { embeds = false } = {}): CleanHtml => {
  const { attachments, subject } = message;
  const pictureOf = (source: string): string | undefined => {
    const part = attachments.find(({ contentId }) => contentId !== undefined && source === `cid:${contentId}`);
    const shown = part !== undefined && SHOWN.test(part.mediaType);
    return shown ? `data:${part.mediaType};base64,${Buffer.from(part.bytes).toString("base64")}` : undefined;
  };
  const rows = headingOf(message).map(([name, value]) => `<tr><th>${name}</th><td>${escapeText(value)}</td></tr>`);
  const files = filesOf(message).map(
    ({ filename, bytes }) => `<li>${escapeText(filename)} (${bytes.length} bytes)</li>`,
  );
  const page = [
    `<h1>${escapeText(subject)}</h1>`,
    `<table class="mail-head">${rows.join("")}</table><hr>`,
    message.html ?? paragraphs(message.text ?? ""),
    files.length === 0 ? "" : `<hr><p>Attachments</p><ul>${files.join("")}</ul>`,
  ];
  const { html, warnings } = cleanHtml(page.join("\n"), { title: subject, pictures: pictureOf });
  return { html, warnings: [...warnings, ...(embeds || files.length === 0 ? [] : [onlyListed(files.length)])] };
};

const onlyListed = (count: number): Warning => ({
  code: "attachments_dropped",
  detail: `Attachments are listed by name, without their content: ${count}.`,
});

/** @returns the message as text */
export const asText = (message: Message): string => {
  // The subject comes first as a title, so that the text is not detected as a message.
  const head = [
    message.subject || "(no subject)",
    "",
    ...headingOf(message).map(([name, value]) => `${name}: ${value}`),
  ];
  const files = filesOf(message).map(({ filename, bytes }) => `Attachment: ${filename} (${bytes.length} bytes)`);
  const body = message.text ?? textFromHtml(message.html ?? "", { wordwrap: false });
  return `${[...head, ...files].join("\n")}\n\n${body.replaceAll("\r\n", "\n").trim()}\n`;
};

/** @returns the complete message as a JSON value */
export const asValue = (message: Message) => ({
  subject: message.subject,
  from: message.from,
  to: message.to,
  cc: message.cc,
  bcc: message.bcc,
  date: message.date,
  message_id: message.messageId,
  text: message.text ?? null,
  html: message.html ?? null,
  headers: message.headers,
  attachments: message.attachments.map(({ filename, mediaType, contentId, inline, bytes }) => ({
    filename,
    media_type: mediaType,
    content_id: contentId ?? null,
    inline,
    size: bytes.length,
    content_base64: Buffer.from(bytes).toString("base64"),
  })),
});

/** @returns the message in internet format (RFC 5322) */
export const asEml = (message: Message): Promise<Buffer> => {
  const { subject, from, to, cc, bcc, date, messageId, text, html, headers, attachments } = message;
  const kept = headers.filter(({ name }) => /^(?:in-reply-to|references|reply-to|x-.*)$/i.test(name));
  const mail = new MailComposer({
    // References in an untrusted message are never fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...{ subject, from, to, cc, bcc, text, html },
    ...(!Number.isNaN(Date.parse(date)) && { date: new Date(date) }),
    ...(messageId !== "" && { messageId }),
    headers: kept.map(({ name, value }) => ({ key: name, value })),
    attachments: attachments.map(({ filename, mediaType, contentId, inline, bytes }) => ({
      filename,
      contentType: mediaType,
      content: Buffer.from(bytes),
      ...(inline && contentId !== undefined && { cid: contentId }),
    })),
  }).compile();
  // By default, Bcc is removed, as for sending; this message is kept, not sent.
  mail.keepBcc = true;
  return mail.build();
};

const paragraphs = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeText(part).replaceAll("\n", "<br>")}</p>`)
    .join("\n");
