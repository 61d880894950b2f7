/** The contents of container files: brands, member paths, stream names. */

/**
 * @returns the brands of an ISO base media file, major first (ISO/IEC 14496-12, 4.3). `mif1` only says that the file
 * contains images, in AVIF as in HEIC, so it ranks after other brands. Brands that only say which boxes a file
 * contains, as in videos, rank last unless they are the major brand.
 */
export const isoBrands = (head: Uint8Array): string[] => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (view.length < 12 || view.toString("latin1", 4, 8) !== "ftyp") {
    return [];
  }
  const end = Math.min(view.readUInt32BE(0), view.length - 3);
  const major = view.toString("latin1", 8, 12);
  const brands = [major];
  for (let offset = 16; offset < end; offset += 4) {
    brands.push(view.toString("latin1", offset, offset + 4));
  }
  const rank = (brand: string) =>
    brand === "mif1" || brand === "msf1" ? 1 : brand !== major && /^(?:iso|mp4)/.test(brand) ? 2 : 0;
  return brands.toSorted((one, other) => rank(one) - rank(other));
};

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Maximum number of inspected zip members. */
const MEMBERS_MAX = 5_000;

/** The members of a zip, as far as the head and the tail show them. */
export interface ZipMembers {
  /** The paths of the members, and, after a `=`, what the member `mimetype` says. */
  readonly paths: readonly string[];
  /** Whether the central directory was read completely: it can be missing, damaged, or longer than the tail. */
  readonly complete: boolean;
}

/** Reads the central directory if the tail has it, otherwise the members that the head shows (APPNOTE.TXT 4.3). */
export const zipMembers = (head: Uint8Array, tail: Uint8Array): ZipMembers => {
  const first = bufferOf(head);
  const directory = directoryMembers(bufferOf(tail));
  const members = directory?.names.length ? directory.names : localMembers(first);
  return { paths: [...mimetypeMember(first), ...members], complete: directory?.complete === true };
};

/** EPUB, OpenDocument and others start with this member, uncompressed, so that it can be read without a decoder. */
const mimetypeMember = (head: Buffer): string[] => {
  if (head.length < 38 || head.toString("latin1", 30, 38) !== "mimetype" || head.readUInt16LE(8) !== 0) {
    return [];
  }
  const start = 38 + head.readUInt16LE(28);
  const bytes = head.readUInt32LE(18) || 100;
  return [`=${/^[\x21-\x7e]{0,100}/.exec(head.toString("latin1", start, start + Math.min(bytes, 100)))?.[0] ?? ""}`];
};

const directoryMembers = (tail: Buffer): { names: string[]; complete: boolean } | undefined => {
  const end = tail.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end === -1 || end + 22 > tail.length) {
    return undefined;
  }
  // Counted back from the end record, so that bytes before the zip (as in self-extracting files) do not matter.
  let at = end - tail.readUInt32LE(end + 12);
  const names: string[] = [];
  while (at >= 0 && at + 46 <= end && names.length < MEMBERS_MAX && tail.readUInt32LE(at) === 0x02014b50) {
    const length = tail.readUInt16LE(at + 28);
    names.push(tail.toString("utf8", at + 46, at + 46 + length));
    at += 46 + length + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
  }
  return { names, complete: at === end || names.length === MEMBERS_MAX };
};

const LOCAL_HEADER = Buffer.from("PK\u0003\u0004", "latin1");

/**
 * If the size of a member follows its data, the next header is searched for in Office files only: other zips can contain
 * zips, whose members would be found.
 */
const localMembers = (head: Buffer): string[] => {
  const names: string[] = [];
  let at = 0;
  while (at >= 0 && at + 30 <= head.length && head.readUInt32LE(at) === 0x04034b50) {
    const length = head.readUInt16LE(at + 26);
    names.push(head.toString("utf8", at + 30, at + 30 + length));
    const sized = (head.readUInt16LE(at + 6) & 8) === 0;
    const data = at + 30 + length + head.readUInt16LE(at + 28);
    at = sized ? data + head.readUInt32LE(at + 18) : isOfficePart(names[0]) ? head.indexOf(LOCAL_HEADER, data) : -1;
  }
  return names;
};

/** @returns whether an OOXML package starts with this member (ISO/IEC 29500-2, 10.2) */
const isOfficePart = (path = ""): boolean => path === "[Content_Types].xml" || path === "_rels/.rels";

const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** @returns whether the bytes start like an OLE compound file ([MS-CFB] 2.2) */
export const isOle = (head: Uint8Array): boolean => OLE.every((byte, index) => head[index] === byte);

/**
 * @returns whether the head or the tail contains a directory entry of this name: UTF-16 with a final zero ([MS-CFB]
 * 2.6.1)
 */
export const hasStream = (parts: readonly Uint8Array[], name: string): boolean =>
  parts.some((part) => bufferOf(part).includes(Buffer.from(`${name}\0`, "utf16le")));
