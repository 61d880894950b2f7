import { inflateRawSync } from "node:zlib";
import { type RawMember, zipOf } from "../engines/support/raw-archives.ts";
import type { Random } from "../support/random.ts";
import { changed } from "./change.ts";
import { INPUT_BYTES_MAX } from "./parser.ts";

/** Mutations that keep a ZIP valid: bytes, names, headers and number of its members. */

interface Member {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Maximum bytes of a member that is changed: it is compressed again each time. */
const MEMBER_BYTES_MAX = 200_000;

/** @returns the members of the local headers (APPNOTE.TXT 4.3.7) that can be unpacked */
export const membersOf = (zip: Buffer): Member[] => {
  const members: Member[] = [];
  for (let at = zip.indexOf("PK\x03\x04", 0, "latin1"); at !== -1 && at + 30 <= zip.length; ) {
    const [method, packed] = [zip.readUInt16LE(at + 8), zip.readUInt32LE(at + 18)];
    const [named, extra] = [zip.readUInt16LE(at + 26), zip.readUInt16LE(at + 28)];
    const start = at + 30 + named + extra;
    const bytes = unpacked(zip.subarray(start, start + packed), method);
    if (bytes !== undefined) {
      members.push({ name: zip.toString("utf8", at + 30, at + 30 + named), bytes });
    }
    at = zip.indexOf("PK\x03\x04", Math.max(at + 4, start + packed), "latin1");
  }
  return members;
};

const unpacked = (bytes: Buffer, method: number): Buffer | undefined => {
  try {
    return method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: MEMBER_BYTES_MAX });
  } catch {
    return undefined;
  }
};

const NAMES = [
  "../a",
  "/a",
  "a/../../b",
  "C:\\a",
  "a\0b",
  "a/",
  "",
  "a".repeat(5_000),
  "\u202egnp.a",
  "con",
  ".",
  "..",
  "a//b",
];

/** @param words tokens of the members' formats */
export const changedZip =
  (words: readonly string[]) =>
  (input: Buffer, random: Random, others: readonly Buffer[]): Buffer => {
    const members: RawMember[] = membersOf(input);
    if (members.length === 0) {
      return changed(input, { random, words, others });
    }
    const at = random.below(members.length);
    const member = members[at] ?? { name: "" };
    const bytes = Buffer.from(member.bytes ?? "");
    const changes: readonly (() => RawMember[])[] = [
      () => [{ ...member, bytes: changed(bytes, { random, words, others: [bytes] }) }],
      () => [{ ...member, bytes: changed(bytes, { random, words, others: [bytes] }) }],
      () => [{ ...member, bytes: changed(bytes, { random, words, others: [bytes] }) }],
      () => [{ ...member, name: random.pick([...NAMES, ...members.map(({ name }) => String(name))]) }],
      () => [],
      () => [member, member],
      () => [{ ...member, size: random.pick([0, 1, 2 ** 32 - 1]) }],
      () => [{ ...member, crc: random.below(2 ** 31) }],
      () => [{ ...member, mode: random.pick([0o120_777, 0o040_755, 0o010_644]) }],
      () => [{ ...member, flags: random.pick([1, 8, 0x800, 0x2000]) }],
      () => [{ ...member, extra: Buffer.alloc(random.below(64), random.pick([0, 1, 255])) }],
    ];
    const result = zipOf(members.toSpliced(at, 1, ...random.pick(changes)()));
    const whole = random.chance(0.15)
      ? changed(result, { random, words: ["PK\x01\x02", "PK\x05\x06"], others })
      : result;
    return whole.length <= INPUT_BYTES_MAX ? whole : input;
  };
