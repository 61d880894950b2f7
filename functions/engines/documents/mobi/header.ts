import { JobError } from "../../../domain/errors.ts";
import { corrupt, type Records, uint16, uint32 } from "./records.ts";

/** The header of a book. Record numbers count from the first record of the file. */
export interface Header {
  /** Record number of this header: a file with both kinds of book has two. */
  readonly start: number;
  readonly version: number;
  readonly compression: number;
  readonly textRecords: number;
  readonly encoding: "utf-8" | "windows-1252";
  /** Flags for the trailing fields after the text in each record. */
  readonly trailing: number;
  readonly firstPicture: number;
  readonly huffman: { readonly first: number; readonly count: number };
  /** Index records; undefined if absent. */
  readonly contents: number | undefined;
  readonly flows: number | undefined;
  readonly fragments: number | undefined;
  readonly skeletons: number | undefined;
  readonly title: string;
  readonly lang: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Number of the cover picture, relative to {@link firstPicture}. */
  readonly cover: number | undefined;
}

const NONE = 0xffff_ffff;
const KF8 = 8;

/** @returns the header; of the newer book if the file contains two */
export const headerOf = (records: Records): Header => {
  const first = readHeader(records, 0, undefined);
  const boundary = first.boundary;
  if (boundary !== undefined && boundary > 0 && boundary < records.count && first.version < KF8) {
    const newer = records.at(boundary);
    if (newer.toString("latin1", 16, 20) === "MOBI") {
      return readHeader(records, boundary, first.firstPicture);
    }
  }
  return first;
};

const readHeader = (
  records: Records,
  start: number,
  pictures: number | undefined,
): Header & { boundary: number | undefined } => {
  const record = records.at(start);
  if (record.toString("latin1", 16, 20) !== "MOBI") {
    throw corrupt("no header found");
  }
  if (uint16(record, 12) !== 0) {
    throw new JobError(
      "unsupported_feature",
      "The book is protected by DRM and can be opened only in the store's apps.",
    );
  }
  const length = uint32(record, 20);
  const encoding = uint32(record, 28) === 65_001 ? "utf-8" : "windows-1252";
  const index = (offset: number): number | undefined => {
    const number = offset + 4 <= length + 16 ? uint32(record, offset) : NONE;
    return number === NONE ? undefined : start + number;
  };
  const fields =
    (uint32(record, 128) & 0x40) === 0 ? new Map<number, Buffer>() : extraFields(record.subarray(16 + length));
  const text = (type: number): string => new TextDecoder(encoding).decode(fields.get(type) ?? Buffer.alloc(0)).trim();
  const number = (type: number): number | undefined => {
    const value = uint32(fields.get(type) ?? Buffer.alloc(0), 0);
    return fields.has(type) && value !== NONE ? value : undefined;
  };
  const nameAt = uint32(record, 84);
  const name = new TextDecoder(encoding).decode(record.subarray(nameAt, nameAt + uint32(record, 88))).trim();
  const metadata = { author: text(100), description: text(103).replace(/<[^<>]{0,200}>/g, " "), date: text(106) };
  const version = uint32(record, 36);
  return {
    start,
    version,
    compression: uint16(record, 0),
    textRecords: uint16(record, 8),
    encoding,
    trailing: length >= 228 ? uint16(record, 242) : 0,
    firstPicture: pictures ?? start + uint32(record, 108),
    huffman: { first: start + uint32(record, 112), count: uint32(record, 116) },
    contents: index(244),
    flows: version >= KF8 ? index(192) : undefined,
    fragments: version >= KF8 ? index(248) : undefined,
    skeletons: version >= KF8 ? index(252) : undefined,
    title: text(503) || name,
    lang: /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(text(524)) ? text(524) : undefined,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== "")),
    cover: number(201),
    boundary: number(121),
  };
};

const FIELDS_MAX = 1_000;

/**
 * @returns the fields of the EXTH header by type; the first of each type wins, except for authors, which are all
 * included
 */
const extraFields = (record: Buffer): Map<number, Buffer> => {
  const fields = new Map<number, Buffer>();
  const count = record.toString("latin1", 0, 4) === "EXTH" ? Math.min(uint32(record, 8), FIELDS_MAX) : 0;
  let at = 12;
  for (let index = 0; index < count && at + 8 <= record.length; index += 1) {
    const [type, length] = [uint32(record, at), Math.max(8, uint32(record, at + 4))];
    const value = record.subarray(at + 8, at + length);
    const known = fields.get(type);
    if (known === undefined || type === 100) {
      fields.set(type, known === undefined ? value : Buffer.concat([known, Buffer.from(", "), value]));
    }
    at += length;
  }
  return fields;
};
