import { convert as textFromHtml } from "html-to-text";
import MailComposer from "nodemailer/lib/mail-composer";
import { cleanHtml } from "../io/html.ts";
import { filesOf, headingOf, type Message } from "./message.ts";

/** Media types of pictures that a page shows. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|bmp)$/;

/** @returns the message as a page: its head, its body with the pictures in it, and the names of its files */
export const asHtml = (message: Message) => {
  const { attachments, subject } = message;
  const pictureOf = (source: string): string | undefined => {
    const part = attachments.find(({ contentId }) => contentId !== undefined && source === `cid:${contentId}`);
    const shown = part !== undefined && SHOWN.test(part.mediaType);
    return shown ? `data:${part.mediaType};base64,${Buffer.from(part.bytes).toString("base64")}` : undefined;
  };
  const rows = headingOf(message).map(([name, value]) => `<tr><th>${name}</th><td>${escaped(value)}</td></tr>`);
  const files = filesOf(message).map(({ filename, bytes }) => `<li>${escaped(filename)} (${bytes.length} bytes)</li>`);
  const page = [
    `<h1>${escaped(subject)}</h1>`,
    `<table class="mail-head">${rows.join("")}</table><hr>`,
    message.html ?? paragraphs(message.text ?? ""),
    files.length === 0 ? "" : `<hr><p>Attachments</p><ul>${files.join("")}</ul>`,
  ];
  return cleanHtml(page.join("\n"), { title: subject, pictures: pictureOf });
};

/** @returns the message as text */
export const asText = (message: Message): string => {
  // Behind the subject as a title, so that nobody takes the text for a message.
  const head = [
    message.subject || "(no subject)",
    "",
    ...headingOf(message).map(([name, value]) => `${name}: ${value}`),
  ];
  const files = filesOf(message).map(({ filename, bytes }) => `Attachment: ${filename} (${bytes.length} bytes)`);
  const body = message.text ?? textFromHtml(message.html ?? "", { wordwrap: false });
  return `${[...head, ...files].join("\n")}\n\n${body.replaceAll("\r\n", "\n").trim()}\n`;
};

/** @returns the message as a value for JSON: nothing of it is missing */
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

/** @returns the message as it travels (RFC 5322) */
export const asEml = (message: Message): Promise<Buffer> => {
  const { subject, from, to, cc, bcc, date, messageId, text, html, headers, attachments } = message;
  const kept = headers.filter(({ name }) => /^(?:in-reply-to|references|reply-to|x-.*)$/i.test(name));
  const mail = new MailComposer({
    // What a stranger's message names is never fetched.
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
  // It leaves out who gets a blind copy, as it would on the way; here the message is kept, not sent.
  mail.keepBcc = true;
  return mail.build();
};

const paragraphs = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/)
    .map((part) => `<p>${escaped(part).replaceAll("\n", "<br>")}</p>`)
    .join("\n");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
