import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PARTS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { INDENT } from "../../domain/conversions/options/tables.ts";
import { JobError } from "../../domain/errors.ts";
import type { FormatId } from "../../domain/formats/formats.ts";
import { safeFilename } from "../../domain/uploads/upload.ts";
import { writeZip } from "../archives/zip/writer.ts";
import { type Engine, type EngineResult, type EngineTask, type Part, packageVersion, rowFor } from "../core/engine.ts";
import { cleanHtml } from "../documents/html/html.ts";
import { readEml } from "./mail/eml.ts";
import { inMbox, splitMbox } from "./mail/mbox.ts";
import { messageBytes, readMessage } from "./mail/read.ts";
import { readWebPage } from "./mail/web-page.ts";
import { asEml, asHtml, asText, asValue } from "./mail/write.ts";

/** Email messages: EML, MSG (Outlook), and mailboxes (MBOX); and saved web pages (MHTML), which are messages too. */
export const mailEngine: Engine = {
  name: "mail",
  version: async () => packageVersion("nodemailer"),
  convert: (task) => rowFor(WRITERS, task.to, "mail")(task),
};

const NOTHING: EngineResult = { warnings: [] };

type Write = (task: EngineTask) => Promise<EngineResult>;

const toHtml: Write = async (task) => {
  const { html, warnings } =
    task.from === "mhtml"
      ? cleanHtml(await readWebPage(task.input), { directions: true })
      : asHtml(await readMessage(task));
  await writeFile(task.output, html);
  return { warnings };
};

const toText: Write = async (task) => {
  await writeFile(task.output, asText(await readMessage(task)));
  return NOTHING;
};

const toJson: Write = async (task) => {
  const { input, from, output, options } = task;
  const messages: unknown[] = [];
  for (const bytes of from === "mbox" ? splitMbox(await messageBytes(input)) : []) {
    messages.push(asValue(await readEml(bytes)));
  }
  const value = from === "mbox" ? messages : asValue(await readMessage(task));
  await writeFile(output, `${JSON.stringify(value, undefined, options.indent ?? INDENT)}\n`);
  return NOTHING;
};

const toEml: Write = async (task) => {
  if (task.from === "mbox") {
    return { ...NOTHING, parts: await messagesOf(task) };
  }
  await writeFile(task.output, await asEml(await readMessage(task)));
  return NOTHING;
};

/** Writes each message of a mailbox as stored. */
const messagesOf = async ({ input, folder }: EngineTask): Promise<Part[]> => {
  const parts: Part[] = [];
  for (const bytes of splitMbox(await messageBytes(input))) {
    if (parts.length >= PARTS_MAX) {
      throw new JobError(
        "output_too_large",
        `The mailbox has more than ${PARTS_MAX} messages, the maximum. Convert it to JSON to get all of them.`,
      );
    }
    const name = `message-${String(parts.length + 1).padStart(4, "0")}`;
    const path = join(folder, `${name}.eml`);
    await writeFile(path, bytes);
    parts.push({ path, name });
  }
  if (parts.length === 0) {
    throw new JobError("source_corrupt", "The mailbox has no messages.");
  }
  return parts;
};

const toMbox: Write = async ({ input, further, output }) => {
  const messages: Buffer[] = [];
  for (const path of [input, ...further.map((file) => file.path)]) {
    const bytes = await messageBytes(path);
    messages.push(inMbox(await readEml(bytes), bytes));
  }
  await writeFile(output, Buffer.concat(messages));
  return NOTHING;
};

/** All attachments, and the body as text. */
const toZip: Write = async (task) => {
  const message = await readMessage(task);
  const taken = new Set(["message.txt"]);
  const files = message.attachments.map(({ filename, bytes }) => ({ path: freeName(filename, taken), bytes }));
  await writeZip(task.output, [{ path: "message.txt", bytes: asText(message) }, ...files]);
  return NOTHING;
};

const freeName = (filename: string, taken: Set<string>): string => {
  const safe = safeFilename(filename);
  let free = safe;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
    free = `${count}-${safe}`;
  }
  taken.add(free.toLowerCase());
  return free;
};

const WRITERS: Partial<Record<FormatId, Write>> = {
  html: toHtml,
  txt: toText,
  json: toJson,
  eml: toEml,
  mbox: toMbox,
  zip: toZip,
};
