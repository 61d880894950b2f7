import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import { encodingOf } from "./text.ts";
import { readChunks, writeText } from "./text-chunks.ts";

/** A text of any size as UTF-8, and the encoding that it had, by its name in the WHATWG Encoding Standard. */
export interface Utf8File {
  /** The input itself where it is UTF-8 already. It may begin with a byte order mark. */
  readonly path: string;
  readonly encoding: string;
  readonly warnings: readonly Warning[];
}

/**
 * Makes a text of any size UTF-8, chunk by chunk. Its encoding is told like `readText` tells it, but from the first
 * lines that are not UTF-8, wherever they stand.
 *
 * @param folder where the copy goes
 * @param encoding the encoding where the client has named one
 * @throws JobError `source_corrupt` when the bytes are not in the encoding that was named
 */
export const utf8File = async (input: string, folder: string, encoding?: string): Promise<Utf8File> => {
  const told = encoding === undefined ? await tellEncoding(input) : { name: nameOf(encoding), damaged: false };
  if (told.name === "utf-8" && !told.damaged && encoding === undefined) {
    return { path: input, encoding: told.name, warnings: [] };
  }
  const path = join(folder, "text.utf8");
  await writeText(path, decoded(input, told.name, encoding !== undefined));
  const guessed = encoding === undefined && !told.name.startsWith("utf-");
  return { path, encoding: told.name, warnings: told.damaged ? [REPLACED] : guessed ? [guessedAs(told.name)] : [] };
};

const REPLACED: Warning = {
  code: "characters_replaced",
  detail: "The text is in UTF-8, but some of its bytes are not; each stands as U+FFFD in the result.",
};

const guessedAs = (name: string): Warning => ({
  code: "encoding_guessed",
  detail: `The text does not say its encoding; it was read as ${name}. The option encoding names another.`,
});

const nameOf = (encoding: string): string => {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    throw new JobError("unsupported_feature", `The encoding ${encoding} is not known here.`);
  }
};

const decoded = async function* (input: string, encoding: string, fatal: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal });
  try {
    for await (const chunk of readChunks(input)) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError
      ? new JobError("source_corrupt", `The text is not in the encoding ${encoding}.`, { cause: error })
      : error;
  }
};

const HEAD_BYTES = 65_536;

/** @returns the encoding, and whether a text that can only be meant as UTF-8 has bytes that are none */
const tellEncoding = async (path: string): Promise<{ name: string; damaged: boolean }> => {
  const head = encodingOf(withoutZeroTail(await headOf(path)));
  if (head.startsWith("utf-16")) {
    return { name: head, damaged: false };
  }
  let rest = Buffer.alloc(0);
  for await (const chunk of readChunks(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - cutBytes(bytes);
    if (!isUtf8(bytes.subarray(0, end))) {
      return notUtf8(bytes);
    }
    rest = Buffer.from(bytes.subarray(end));
  }
  return rest.length === 0 ? { name: "utf-8", damaged: false } : notUtf8(rest);
};

const headOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Some programs fill the last block of a text with zeros, which say nothing of its encoding. */
const withoutZeroTail = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  while (end > 2 && bytes[end - 1] === 0 && bytes[end - 2] === 0) {
    end -= 1;
  }
  return bytes.subarray(0, end);
};

/** @returns how many bytes at the end begin a character that the next chunk ends (RFC 3629, section 3) */
const cutBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > back ? back : 0;
    }
  }
  return 0;
};

/** A text in another encoding is by chance UTF-8 in few places; a damaged one is not in few. */
const DAMAGED_SHARE_MAX = 0.1;

const notUtf8 = (bytes: Buffer): { name: string; damaged: boolean } => {
  const characters = new TextDecoder().decode(bytes);
  const broken = characters.match(/\ufffd/g)?.length ?? 0;
  const whole = characters.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return broken <= DAMAGED_SHARE_MAX * whole
    ? { name: "utf-8", damaged: true }
    : { name: encodingOf(tellingLines(bytes)), damaged: false };
};

/** Bytes that are looked at to guess an encoding. */
const GUESSED_BYTES = 100_000;

/** @returns the lines that have other bytes than ASCII's: the rest tells nothing, and would outweigh them */
const tellingLines = (bytes: Buffer): Buffer => {
  const lines: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < GUESSED_BYTES; ) {
    const newline = bytes.indexOf(10, at);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(at, end);
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      length += line.length;
    }
    at = end;
  }
  return Buffer.concat(lines);
};
