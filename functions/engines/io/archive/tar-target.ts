import { type ArchiveEntry, permissionsOf } from "./entry.ts";

const BLOCK_BYTES = 512;
/** Bytes that are gathered before they go on: headers alone would be many small writes. */
const CHUNK_BYTES = 65_536;
/** The largest size that eleven octal digits say. */
const OCTAL_BYTES_MAX = 8 ** 11 - 1;

/** @returns the bytes of a tar (POSIX.1-2017, "ustar", with pax headers where that cannot say something) */
export const tarBytes = (entries: AsyncIterable<ArchiveEntry>): AsyncIterable<Buffer> => gathered(blocks(entries));

const blocks = async function* (entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    yield* headers(entry);
    if (entry.kind === "file") {
      yield* entry.content();
      yield Buffer.alloc((BLOCK_BYTES - (entry.bytes % BLOCK_BYTES)) % BLOCK_BYTES);
    }
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
};

const gathered = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes >= CHUNK_BYTES) {
      yield Buffer.concat(held);
      [held, bytes] = [[], 0];
    }
  }
  yield Buffer.concat(held);
};

const TYPES = { file: "0", hardlink: "1", symlink: "2", folder: "5" } as const;

const headers = function* (entry: ArchiveEntry): Generator<Buffer> {
  const { kind, target = "" } = entry;
  const path = Buffer.from(kind === "folder" ? `${entry.path}/` : entry.path);
  const link = Buffer.from(kind === "symlink" || kind === "hardlink" ? target : "");
  const bytes = kind === "file" ? entry.bytes : 0;
  const split = splitPath(path);
  const milliseconds = entry.modified.getTime();
  const seconds = Math.floor(milliseconds / 1_000);
  const records = Buffer.concat([
    ...(split === undefined || !isAscii(path) ? [record("path", path)] : []),
    ...(link.length > 100 || !isAscii(link) ? [record("linkpath", link)] : []),
    ...(bytes > OCTAL_BYTES_MAX ? [record("size", Buffer.from(String(bytes)))] : []),
    ...(seconds < 0 || milliseconds % 1_000 !== 0 ? [record("mtime", Buffer.from(String(milliseconds / 1_000)))] : []),
  ]);
  const name = split ?? { prefix: Buffer.alloc(0), name: path.subarray(-100) };
  const plain = { ...name, link, mode: permissionsOf(entry), seconds: Math.max(0, seconds) };
  if (records.length > 0) {
    const extended = { prefix: Buffer.alloc(0), name: Buffer.from("PaxHeader"), link: Buffer.alloc(0) };
    yield block({ ...plain, ...extended, type: "x", bytes: records.length });
    yield records;
    yield Buffer.alloc((BLOCK_BYTES - (records.length % BLOCK_BYTES)) % BLOCK_BYTES);
  }
  yield block({ ...plain, type: TYPES[kind], bytes });
};

const isAscii = (text: Buffer): boolean => text.every((byte) => byte < 128);

/** @returns the path in the two fields that a header has for it; undefined when it does not fit */
const splitPath = (path: Buffer): { prefix: Buffer; name: Buffer } | undefined => {
  if (path.length <= 100) {
    return { prefix: Buffer.alloc(0), name: path };
  }
  const slash = path.indexOf(0x2f, path.length - 101);
  return slash === -1 || slash > 155 || slash === path.length - 1
    ? undefined
    : { prefix: path.subarray(0, slash), name: path.subarray(slash + 1) };
};

/** @returns a record of pax, which begins with its own length in decimal */
const record = (key: string, value: Buffer): Buffer => {
  const rest = key.length + value.length + 3;
  const digits = String(rest + String(rest).length).length;
  return Buffer.concat([Buffer.from(`${rest + digits} ${key}=`), value, Buffer.from("\n")]);
};

interface Fields {
  readonly prefix: Buffer;
  readonly name: Buffer;
  readonly link: Buffer;
  readonly type: string;
  readonly mode: number;
  readonly bytes: number;
  readonly seconds: number;
}

const block = ({ prefix, name, link, type, mode, bytes, seconds }: Fields): Buffer => {
  const header = Buffer.alloc(BLOCK_BYTES);
  name.copy(header, 0, 0, 100);
  link.copy(header, 157, 0, 100);
  prefix.copy(header, 345, 0, 155);
  header.write(octal(mode, 7), 100, "latin1");
  // Everything belongs to root's numbers, as an archive of no system does.
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  header.write(octal(Math.min(bytes, OCTAL_BYTES_MAX), 11), 124, "latin1");
  header.write(octal(Math.min(seconds, OCTAL_BYTES_MAX), 11), 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write(type, 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return header;
};

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");
