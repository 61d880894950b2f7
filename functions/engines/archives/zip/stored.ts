import { crc32 } from "node:zlib";
import { noContent } from "../archive/entry.ts";
import { centralRecord, endRecords, localHeader, type MemberRecord } from "./records.ts";

/** A member that is stored without compression. */
export interface StoredMember {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A fixed time, so that the same input gives the same bytes; zips show it as January 1, 1980. */
const MODIFIED = new Date(0);

/**
 * Returns a zip with stored members, in order, in chunks.
 *
 * @param alignment each member's content starts at a multiple of this many bytes
 */
export const storedZip = function* (members: readonly StoredMember[], alignment = 1): Generator<Uint8Array> {
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, bytes } of members) {
    const record = recordOf(path, bytes);
    const bare = localHeader(record);
    const header = alignment === 1 ? bare : localHeader(record, paddingTo(alignment, at + bare.length));
    directory.push(centralRecord(record, at));
    yield header;
    yield bytes;
    at += header.length + bytes.length;
  }
  const records = Buffer.concat(directory);
  yield records;
  yield endRecords(members.length, records.length, at);
};

const recordOf = (path: string, bytes: Uint8Array): MemberRecord => {
  const { length } = bytes;
  const entry = { path, kind: "file", modified: MODIFIED, mode: 0, bytes: length, content: noContent } as const;
  return { entry, method: 0, crc: crc32(bytes), bytes: length, packed: length, large: false };
};

/** An extra field has a header of four bytes (APPNOTE.TXT 4.5). */
const EXTRA_BYTES = 4;
const PADDING_ID = 0x19_86;

/** @returns an extra field that pads a header ending here to a multiple of the alignment */
const paddingTo = (alignment: number, end: number): Buffer => {
  const bytes = (alignment - ((end + EXTRA_BYTES) % alignment)) % alignment;
  const field = Buffer.alloc(EXTRA_BYTES + bytes);
  field.writeUInt16LE(PADDING_ID, 0);
  field.writeUInt16LE(bytes, 2);
  return field;
};
