import { analyse } from "chardet";
import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { readInput } from "../../core/input.ts";

/** A text and its detected encoding, by its name in the WHATWG Encoding Standard. */
export interface ReadText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Reads a text in any encoding. Detection uses the byte order mark; otherwise UTF-8 if the bytes are valid, UTF-16 by its
 * zeros, or the most likely legacy encoding. The mark is not part of the text; line ends are unchanged.
 *
 * @param encoding the encoding, if the client specified one
 * @throws JobError `output_too_large` over {@link TEXT_BYTES_MAX} bytes; `source_corrupt` when the bytes are invalid in
 * the specified encoding
 */
export const readText = async (path: string, encoding?: string): Promise<ReadText> => {
  return decodeText(await readInput(path, { max: TEXT_BYTES_MAX, name: "text" }), encoding);
};

/** @returns the text of the bytes, decoded like {@link readText} */
export const decodeText = (bytes: Uint8Array, encoding?: string): ReadText => {
  const name = encoding ?? encodingOf(bytes);
  try {
    return { text: new TextDecoder(name, { fatal: encoding !== undefined }).decode(bytes), encoding: name };
  } catch {
    throw new JobError("source_corrupt", `The text is not valid ${name}.`);
  }
};

/** Bytes of a text that are examined to guess a legacy encoding. */
const GUESSED_BYTES = 100_000;

/** The encodings of byte order marks (the Unicode Standard, 23.8). */
const MARKS = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
] as const;

/** @returns the encoding of the bytes, by its name in the WHATWG Encoding Standard */
export const encodingOf = (bytes: Uint8Array): string => {
  const mark = MARKS.find(([marks]) => marks.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) {
    return mark[1];
  }
  const head = bytes.subarray(0, GUESSED_BYTES);
  const zeros = [0, 1].map((parity) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length);
  const [even = 0, odd = 0] = zeros;
  if (even + odd > head.length / 10) {
    return odd >= even ? "utf-16le" : "utf-16be";
  }
  return isUtf8(bytes) ? "utf-8" : guessed(head);
};

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** @returns the most likely encoding that Node can decode; Windows-1252 when none is likely */
const guessed = (head: Uint8Array): string => {
  const likely = analyse(head).map(({ name }) => name.toLowerCase());
  return likely.find((name) => !name.startsWith("utf-") && isDecodable(name)) ?? "windows-1252";
};

const isDecodable = (name: string): boolean => {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
};
