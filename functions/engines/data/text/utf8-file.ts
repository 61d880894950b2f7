import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { readChunks, writeText } from "./chunks.ts";
import { encodingOf } from "./text.ts";

/** A text of any size as UTF-8, and its original encoding, by its name in the WHATWG Encoding Standard. */
export interface Utf8File {
  /** The input file if it is already UTF-8. It may start with a byte order mark. */
  readonly path: string;
  readonly encoding: string;
  readonly warnings: readonly Warning[];
}

/**
 * Converts a text of any size to UTF-8 in chunks. The encoding is detected like in `readText`, but from the first lines
 * that are not UTF-8, wherever they are.
 *
 * @param folder folder for the copy
 * @param encoding the encoding, if the client specified one
 * @throws JobError `source_corrupt` when the bytes are invalid in the specified encoding
 */
export const utf8File = async (input: string, folder: string, encoding?: string): Promise<Utf8File> => {
  const detected = encoding === undefined ? await detectEncoding(input) : { name: nameOf(encoding), damaged: false };
  if (detected.name === "utf-8" && !detected.damaged && encoding === undefined) {
    return { path: input, encoding: detected.name, warnings: [] };
  }
  const path = join(folder, "text.utf8");
  await writeText(path, decoded(input, detected.name, encoding !== undefined));
  const guessed = encoding === undefined && !detected.name.startsWith("utf-");
  return {
    path,
    encoding: detected.name,
    warnings: detected.damaged ? [REPLACED] : guessed ? [guessedAs(detected.name)] : [],
  };
};

const REPLACED: Warning = {
  code: "characters_replaced",
  detail: "The text is UTF-8 but has invalid bytes, which were replaced with U+FFFD.",
};

const guessedAs = (name: string): Warning => ({
  code: "encoding_guessed",
  detail: `The encoding was detected as ${name}. To use another one, set the encoding option.`,
});

const nameOf = (encoding: string): string => {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    throw new JobError("unsupported_feature", `Unknown encoding: ${encoding}.`);
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
      ? new JobError("source_corrupt", `The text is not valid ${encoding}.`, { cause: error })
      : error;
  }
};

const HEAD_BYTES = 65_536;

/** @returns the encoding, and whether a text that can only be UTF-8 has invalid bytes */
const detectEncoding = async (path: string): Promise<{ name: string; damaged: boolean }> => {
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

/** Some programs pad the last block of a text with zeros, which are irrelevant for detection. */
const withoutZeroTail = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  while (end > 2 && bytes[end - 1] === 0 && bytes[end - 2] === 0) {
    end -= 1;
  }
  return bytes.subarray(0, end);
};

/**
 * @returns the number of bytes at the end that belong to a character which continues in the next chunk (RFC 3629,
 * section 3)
 */
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

/** A text in another encoding is rarely valid UTF-8 by chance; damaged UTF-8 is mostly valid. */
const DAMAGED_SHARE_MAX = 0.1;

const notUtf8 = (bytes: Buffer): { name: string; damaged: boolean } => {
  const characters = new TextDecoder().decode(bytes);
  const broken = characters.match(/\ufffd/g)?.length ?? 0;
  const valid = characters.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return broken <= DAMAGED_SHARE_MAX * valid
    ? { name: "utf-8", damaged: true }
    : { name: encodingOf(nonAsciiLines(bytes)), damaged: false };
};

/** Maximum bytes that are examined to guess an encoding. */
const GUESSED_BYTES = 100_000;

/** @returns the lines with non-ASCII bytes; the others carry no evidence and would outweigh them */
const nonAsciiLines = (bytes: Buffer): Buffer => {
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
