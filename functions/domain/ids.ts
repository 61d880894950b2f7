import { createHash } from "node:crypto";

/** Random bytes, passed in by the caller so that the domain remains pure. */
export type RandomBytes = (count: number) => Uint8Array;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Digits that a number represents exactly, and their value: 62⁸ is less than 2⁵³. */
const [GROUP_DIGITS, GROUP] = [8, 62n ** 8n];

/** @returns the bytes as one big-endian number in base 62, padded so that equal byte counts give equal lengths */
export const base62 = (bytes: Uint8Array): string => {
  const length = Math.ceil((bytes.length * 8) / Math.log2(62));
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
  let text = "";
  while (text.length < length) {
    let group = Number(rest % GROUP);
    rest /= GROUP;
    for (let digit = 0; digit < GROUP_DIGITS; digit += 1) {
      text = BASE62.charAt(group % 62) + text;
      group = Math.floor(group / 62);
    }
  }
  return text.slice(text.length - length);
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
export const sha256Hex = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
