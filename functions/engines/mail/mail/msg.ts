import { createRequire } from "node:module";
import { decompressRTF } from "@kenjiuno/decompressrtf";
import type msgreader from "@kenjiuno/msgreader";
import type { FieldsData } from "@kenjiuno/msgreader";
import { deEncapsulateSync } from "rtf-stream-parser";
import { decodeText } from "../../data/text/text.ts";
import { isSoundCompoundFile } from "./compound-file.ts";
import { type Attachment, type Message, notAMessage } from "./message.ts";

/** The package is CommonJS with a `default` export, which module loaders interpret in two ways. */
const { default: Reader }: typeof msgreader = createRequire(import.meta.url)("@kenjiuno/msgreader");
type MsgReader = InstanceType<typeof Reader>;

/**
 * Reads an Outlook message ([MS-OXMSG]). Its HTML may be encapsulated in compressed RTF.
 *
 * @throws JobError `source_corrupt`
 */
export const readMsg = (bytes: Uint8Array): Message => {
  try {
    if (!isSoundCompoundFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
      throw new Error("Invalid sector chain.");
    }
    const reader = readerOf(bytes);
    const fields = sound(reader.getFileData());
    if (fields.error !== undefined) {
      throw new Error(fields.error);
    }
    return messageOf(
      fields,
      (fields.attachments ?? []).map((part, index) => attachmentOf(reader, part, index)),
    );
  } catch (error) {
    throw notAMessage(error);
  }
};

const ANSI = "windows-1252";

/** @returns a reader that decodes text of messages before Outlook 2003 by their code page ([MS-OXCMSG] 2.2.1.4) */
const readerOf = (bytes: Uint8Array): MsgReader => {
  // Copy: the library reads the underlying buffer from its start, ignoring the offset of the view.
  const view = new DataView(Uint8Array.from(bytes).buffer);
  const reader = new Reader(view);
  reader.parserConfig = { ansiEncoding: ANSI };
  const { messageCodepage, internetCodepage } = reader.getFileData();
  const encoding = encodingOf(`cp${messageCodepage ?? internetCodepage ?? 1252}`);
  if (encoding === ANSI) {
    return reader;
  }
  const decoding = new Reader(view);
  decoding.parserConfig = { ansiEncoding: encoding };
  return decoding;
};

const TEXTS: ReadonlySet<string> = new Set([
  ...["subject", "senderName", "senderSmtpAddress", "senderEmail", "messageId", "body", "bodyHtml", "headers"],
  ...["clientSubmitTime", "messageDeliveryTime", "creationTime", "name", "smtpAddress", "email", "recipType"],
  ...["fileName", "fileNameShort", "attachMimeTag", "pidContentId", "contentId"],
]);
const BYTES: ReadonlySet<string> = new Set(["html", "compressedRtf"]);

/** Properties can have any type, and the library does not check it. @returns the fields that have the expected type */
const sound = (fields: FieldsData): FieldsData => {
  const kept = Object.entries(fields).filter(
    ([name, value]) =>
      (!TEXTS.has(name) || typeof value === "string") && (!BYTES.has(name) || value instanceof Uint8Array),
  );
  const lists = (["recipients", "attachments"] as const).flatMap((name) =>
    Array.isArray(fields[name]) ? [[name, fields[name].map(sound)]] : [],
  );
  return Object.fromEntries([...kept, ...lists]) as FieldsData;
};

const messageOf = (fields: FieldsData, attachments: readonly Attachment[]): Message => {
  const headers = headersOf(fields.headers ?? "");
  const header = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? "";
  const recipients = (type: string): string =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? "to") === type)
      .map(({ name = "", smtpAddress, email }) => address(name, smtpAddress ?? email))
      .join(", ");
  const rtf = fields.compressedRtf === undefined ? undefined : bodyInRtf(fields.compressedRtf);
  const html = fields.bodyHtml ?? htmlOf(fields) ?? rtf?.html;
  const related = (id: string | undefined) => id !== undefined && html?.includes(`cid:${id}`) === true;
  const date = fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime ?? header("date");
  return {
    subject: fields.subject ?? "",
    from: address(fields.senderName ?? "", fields.senderSmtpAddress ?? fields.senderEmail) || header("from"),
    to: recipients("to") || header("to"),
    cc: recipients("cc"),
    bcc: recipients("bcc"),
    date: Number.isNaN(Date.parse(date)) ? date : new Date(date).toISOString(),
    messageId: fields.messageId ?? header("message-id"),
    text: fields.body ?? rtf?.text,
    html,
    headers,
    attachments: attachments.map((part) => ({ ...part, inline: related(part.contentId) })),
  };
};

/** Exchange identifies internal users by a path (`/O=…/CN=…`), which is not an address. */
const address = (name: string, mail = ""): string => {
  const known = mail.includes("@") ? mail : "";
  return name === "" || name === known ? known : known === "" ? name : `${name} <${known}>`;
};

const headersOf = (text: string): Message["headers"] =>
  text
    .replaceAll(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, name, value] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, value: value ?? "" }];
    });

/** HTML as bytes uses the code page declared in the message ([MS-OXCMSG] 2.2.1.58.9). */
const htmlOf = ({ html, internetCodepage }: FieldsData): string | undefined =>
  html === undefined ? undefined : decodeText(html, encodingOf(`cp${internetCodepage ?? 65_001}`)).text;

/** @returns the HTML or text that Outlook encapsulated in RTF ([MS-OXRTFEX]); neither for native RTF */
const bodyInRtf = (compressed: Uint8Array): { html?: string; text?: string } => {
  const rtf = Buffer.from(decompressRTF([...compressed]));
  if (!/\\fromhtml1|\\fromtext/.test(rtf.subarray(0, 4_096).toString("latin1"))) {
    return {};
  }
  const { mode, text } = deEncapsulateSync(rtf, { decode: (bytes, name) => decodeText(bytes, encodingOf(name)).text });
  return mode === "html" ? { html: String(text) } : { text: String(text) };
};

/** Code pages whose names in the WHATWG Encoding Standard do not contain their number. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  cp20127: "windows-1252",
  cp28591: "windows-1252",
  cp65001: "utf-8",
};

const encodingOf = (name: string): string => {
  const own = Object.hasOwn(CODE_PAGES, name.toLowerCase()) ? CODE_PAGES[name.toLowerCase()] : undefined;
  const known = own ?? name.toLowerCase().replace(/^cp/, "windows-");
  try {
    return new TextDecoder(known).encoding;
  } catch {
    return "windows-1252";
  }
};

const attachmentOf = (reader: MsgReader, part: FieldsData, index: number): Attachment => {
  const { fileName, content } = reader.getAttachment(part);
  return {
    filename: fileName || part.name || `attachment-${index + 1}`,
    mediaType: part.attachMimeTag ?? "application/octet-stream",
    contentId: part.pidContentId,
    inline: false,
    bytes: content,
  };
};
