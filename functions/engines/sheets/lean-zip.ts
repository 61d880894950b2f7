import { crc32 } from "node:zlib";
import { type ArchiveEntry, noContent } from "../io/archive/entry.ts";
import { centralRecord, endRecords, localHeader, type ZipMember } from "../io/archive/zip-records.ts";

/** A member that was unpacked and counted. */
export interface Part {
  readonly path: string;
  readonly bytes: Buffer;
}

const MODIFIED = new Date(0);

/**
 * @returns a zip of these parts, stored as they are. SheetJS unpacks all that a zip holds, whatever its size, before it looks
 * for what it needs: pictures too, and what is called like one.
 */
export const leanZip = (parts: readonly Part[]): Buffer => {
  const [pieces, records]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const part of parts) {
    const member = memberOf(part);
    const header = localHeader(member);
    records.push(centralRecord(member, at));
    pieces.push(header, part.bytes);
    at += header.length + part.bytes.length;
  }
  const directory = Buffer.concat(records);
  return Buffer.concat([...pieces, directory, endRecords(parts.length, directory.length, at)]);
};

const memberOf = ({ path, bytes }: Part): ZipMember => {
  const { length } = bytes;
  const entry: ArchiveEntry = { path, kind: "file", modified: MODIFIED, mode: 0, bytes: length, content: noContent };
  return { entry, method: 0, crc: crc32(bytes), bytes: length, packed: length, large: false };
};
