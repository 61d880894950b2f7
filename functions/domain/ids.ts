import { hash } from "node:crypto";

/** Random bytes, passed in by the caller so that the domain remains pure. */
export type RandomBytes = (count: number) => Uint8Array;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const DIGITS = Buffer.from(BASE62);

/** Digits that one division yields, and their value: a remainder and 16 more bits are less than 2⁵³. */
const [GROUP_DIGITS, GROUP] = [5, 62 ** 5];

/** @returns the bytes as one big-endian number in base 62, padded so that equal byte counts give equal lengths */
export const base62 = (bytes: Uint8Array): string => {
  const text = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / Math.log2(62)));
  const words = wordsOf(bytes);
  for (let end = text.length; end > 0; end -= GROUP_DIGITS) {
    let rest = divide(words);
    for (let at = end - 1; at >= 0 && at >= end - GROUP_DIGITS; at -= 1) {
      const quotient = Math.floor(rest / 62);
      text[at] = DIGITS[rest - quotient * 62] ?? 0;
      rest = quotient;
    }
  }
  return text.toString("latin1");
};

/** @returns the number in words of 16 bits, the highest first */
const wordsOf = (bytes: Uint8Array): number[] => {
  const words: number[] = [];
  for (let at = bytes.length % 2 === 0 ? 0 : -1; at < bytes.length; at += 2) {
    words.push((bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0));
  }
  return words;
};

/** Divides the number by a group, in place. @returns the remainder */
const divide = (words: number[]): number => {
  let rest = 0;
  for (let index = 0; index < words.length; index += 1) {
    const value = rest * 65_536 + (words[index] ?? 0);
    const quotient = Math.floor(value / GROUP);
    words[index] = quotient;
    rest = value - quotient * GROUP;
  }
  return rest;
};

const prefixes = {
  account: "acc",
  challenge: "cha",
  endpoint: "whe",
  invitation: "inv",
  job: "job",
  key: "key",
  member: "mem",
  pipeline: "pip",
  request: "req",
  session: "ses",
  signing: "sig",
  upload: "upl",
  webhook: "msg",
} as const;

/**
 * @returns an id of 128 bits: 48 of the time in milliseconds, so that ids sort by age, and 80 random ones; for
 * example `job_00GxPq…`, 22 characters after the prefix
 */
export const newId = (kind: keyof typeof prefixes, now: number, random: RandomBytes): string => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random(10), 6);
  return `${prefixes[kind]}_${base62(bytes)}`;
};

/** Times that fit into an ID: until the year 10,889. */
const ID_TIME_MAX = 2 ** 48 - 1;

/** @returns the first ID that can be created at this time: all IDs of earlier times sort before it */
export const idAt = (kind: keyof typeof prefixes, time: number): string =>
  newId(kind, Math.max(0, Math.min(time, ID_TIME_MAX)), (count) => new Uint8Array(count));

/** @returns a download token of 256 random bits, `dl_…` */
export const newDownloadToken = (random: RandomBytes): string => `dl_${base62(random(32))}`;

/** @returns SHA-256 in lowercase hexadecimal */
export const sha256Hex = (data: string | Uint8Array): string => hash("sha256", data);
