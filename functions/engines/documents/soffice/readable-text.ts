import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { readChunks, writeText } from "../../data/text/chunks.ts";
import { utf8File } from "../../data/text/utf8-file.ts";

/** LibreOffice takes RTF after a byte order mark or white space for plain text, whose commands would be its content. */
const fromSignature = async ({ input, folder }: EngineTask): Promise<string> => {
  const file = await open(input);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const start = buffer.subarray(0, bytesRead).indexOf("{\\rtf");
    if (start <= 0) {
      return input;
    }
    const path = join(folder, "from-signature.rtf");
    await pipeline(createReadStream(input, { start }), createWriteStream(path, { flags: "wx" }));
    return path;
  } finally {
    await file.close();
  }
};

const HEAD_BYTES = 1_024;

/**
 * SYLK is text without a declared encoding. LibreOffice reads it as UTF-8 and does not know Excel's escapes of letters.
 *
 * @returns the path of a source that LibreOffice reads as it was written: for other formats, the input
 */
export const readableText = async (task: EngineTask): Promise<{ path: string; warnings: readonly Warning[] }> => {
  if (task.from === "rtf") {
    return { path: await fromSignature(task), warnings: [] };
  }
  const { input, from, folder, options } = task;
  if (from !== "slk") {
    return { path: input, warnings: [] };
  }
  const { path, warnings } = await utf8File(input, folder, options.encoding);
  const unescaped = join(folder, "unescaped.slk");
  await writeText(unescaped, withoutEscapes(path));
  return { path: unescaped, warnings };
};

/** Longest escape, in characters: it could be divided between two chunks. */
const ESCAPE_CHARACTERS_MAX = 4;

const withoutEscapes = async function* (path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readChunks(path)) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const start = text.lastIndexOf("\u001b");
    const end = start >= 0 && start > text.length - ESCAPE_CHARACTERS_MAX ? start : text.length;
    yield text.slice(0, end).replace(ESCAPE, letterOf);
    rest = text.slice(end);
  }
  yield (rest + decoder.decode()).replace(ESCAPE, letterOf);
};

/** An escape character, `N`, the low half of a character of ITU-T T.61, and, after an accent, the letter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character
const ESCAPE = /\u001bN(?:([ABCDHJK])([A-Za-z])|([{aijlqyzRS!#%'+;0-35?]))/g;

/** Combining characters of Unicode. */
const ACCENTS: Readonly<Record<string, string>> = {
  A: "\u0300",
  B: "\u0301",
  C: "\u0302",
  D: "\u0303",
  H: "\u0308",
  J: "\u030a",
  K: "\u0327",
};

const SIGNS: Readonly<Record<string, string>> = {
  "{": "ß",
  a: "Æ",
  i: "Ø",
  j: "Œ",
  l: "Þ",
  q: "æ",
  y: "ø",
  z: "œ",
  "!": "¡",
  "#": "£",
  "%": "¥",
  "'": "§",
  "+": "«",
  ";": "»",
  "0": "°",
  "1": "±",
  "2": "²",
  "3": "³",
  "5": "µ",
  "?": "¿",
  R: "®",
  S: "©",
};

const letterOf = (all: string, accent?: string, letter = "", sign = ""): string =>
  accent === undefined ? (SIGNS[sign] ?? all) : `${letter}${ACCENTS[accent] ?? ""}`.normalize("NFC");
