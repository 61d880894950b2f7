import { type ArchiveEntry, permissionsOf } from "../archive/entry.ts";

/** Properties of a zip member that are known when its content is written. */
export interface MemberRecord {
  readonly entry: ArchiveEntry;
  readonly method: 0 | 8;
  readonly crc: number;
  readonly bytes: number;
  readonly packed: number;
  /** Whether the local header reserves space for sizes over 4 GB. */
  readonly large: boolean;
}

const BYTES_4 = 0xffff_ffff;
const VERSION = 45;
const UNIX = 3;
const UTF8 = 0x800;

const nameOf = ({ path, kind }: ArchiveEntry): Buffer => Buffer.from(kind === "folder" ? `${path}/` : path);

/** @returns the fields that the local and the central header share: from the version to the length of the name */
const middle = ({ entry, method, crc, bytes, packed, large }: MemberRecord): Buffer => {
  const part = Buffer.alloc(24);
  const [time, date] = dosTime(entry.modified);
  part.writeUInt16LE(large ? VERSION : 20, 0);
  part.writeUInt16LE(UTF8, 2);
  part.writeUInt16LE(method, 4);
  part.writeUInt16LE(time, 6);
  part.writeUInt16LE(date, 8);
  part.writeUInt32LE(crc, 10);
  part.writeUInt32LE(large ? BYTES_4 : packed, 14);
  part.writeUInt32LE(large ? BYTES_4 : bytes, 18);
  part.writeUInt16LE(nameOf(entry).length, 22);
  return part;
};

/** @param padding an additional extra field that aligns the start of the content */
export const localHeader = (member: MemberRecord, padding: Buffer = Buffer.alloc(0)): Buffer => {
  const extra = Buffer.concat([sizes(member.large ? [member.bytes, member.packed] : []), times(member.entry), padding]);
  return Buffer.concat([signature(0x04034b50), middle(member), short(extra.length), nameOf(member.entry), extra]);
};

export const centralRecord = (member: MemberRecord, header: number): Buffer => {
  const far = header >= BYTES_4;
  const large = [...(member.large ? [member.bytes, member.packed] : []), ...(far ? [header] : [])];
  const extra = Buffer.concat([sizes(large), times(member.entry)]);
  const { kind } = member.entry;
  const tail = Buffer.alloc(14);
  const type = kind === "folder" ? 0o040_000 : 0o100_000;
  tail.writeUInt32LE((((type | permissionsOf(member.entry)) << 16) | (kind === "folder" ? 0x10 : 0)) >>> 0, 6);
  tail.writeUInt32LE(far ? BYTES_4 : header, 10);
  const made = Buffer.from([VERSION, UNIX]);
  const head = [signature(0x02014b50), made, middle(member), short(extra.length)];
  return Buffer.concat([...head, tail, nameOf(member.entry), extra]);
};

export const endRecords = (count: number, bytes: number, start: number): Buffer => {
  const far = count >= 0xffff || bytes >= BYTES_4 || start >= BYTES_4;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(far ? 0xffff : count, 8);
  end.writeUInt16LE(far ? 0xffff : count, 10);
  end.writeUInt32LE(far ? BYTES_4 : bytes, 12);
  end.writeUInt32LE(far ? BYTES_4 : start, 16);
  return far ? Buffer.concat([farEndRecords(count, bytes, start), end]) : end;
};

/** @returns the zip64 end record and its locator (APPNOTE.TXT 4.3.14, 4.3.15) */
const farEndRecords = (count: number, bytes: number, start: number): Buffer => {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE((UNIX << 8) | VERSION, 12);
  record.writeUInt16LE(VERSION, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(start + bytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
};

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const short = (value: number): Buffer => Buffer.from([value & 0xff, value >>> 8]);

/** @returns the zip64 extra field (4.5.3) */
const sizes = (values: readonly number[]): Buffer => {
  const field = Buffer.alloc(values.length === 0 ? 0 : 4 + 8 * values.length);
  for (const [index, value] of values.entries()) {
    field.writeUInt16LE(1, 0);
    field.writeUInt16LE(8 * values.length, 2);
    field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  }
  return field;
};

/** @returns the extra field with the time in UTC, in 32 bits (Info-ZIP's `UT`) */
const times = ({ modified }: ArchiveEntry): Buffer => {
  const seconds = Math.floor(modified.getTime() / 1_000);
  if (Math.abs(seconds) >= 2 ** 31) {
    return Buffer.alloc(0);
  }
  const field = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
  field.writeInt32LE(seconds, 5);
  return field;
};

/** @returns time and date in DOS format: local time, in steps of two seconds, from 1980 to 2107 */
const dosTime = (modified: Date): readonly [number, number] => {
  const year = Math.min(127, Math.max(0, modified.getFullYear() - 1980));
  if (modified.getFullYear() < 1980) {
    return [0, 0x21];
  }
  const date = (year << 9) | ((modified.getMonth() + 1) << 5) | modified.getDate();
  return [(modified.getHours() << 11) | (modified.getMinutes() << 5) | (modified.getSeconds() >> 1), date];
};
