import { crc32, deflateRawSync } from "node:zlib";

/** Archives written byte by byte, with content that regular programs do not write. */

export interface RawMember {
  readonly name: string | Buffer;
  readonly bytes?: string | Buffer;
  /** Zip: the compressed bytes, if not made from `bytes`; `crc` and `size` then belong to them. */
  readonly packed?: Buffer;
  /** Tar: the entry type. @default "0" */
  readonly type?: string;
  readonly link?: string;
  readonly mode?: number;
  /** Zip: the checksum and size to write, if not the right ones. */
  readonly crc?: number;
  readonly size?: number;
  /** Zip: general purpose flags. @default none, so the name encoding is undeclared */
  readonly flags?: number;
  /** Zip: extra fields. */
  readonly extra?: Buffer;
  /** Cpio: the inode number; two names of one file share it. @default a unique number */
  readonly number?: number;
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;

const tarHeader = ({ name, type = "0", link = "", mode = 0o644 }: RawMember, size: number): Buffer => {
  const block = Buffer.alloc(512);
  Buffer.from(name).copy(block, 0, 0, 100);
  block.write(octal(mode, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(1_700_000_000, 11), 100, "latin1");
  block.write("        ", 148, "latin1");
  block.write(type, 156, "latin1");
  block.write(link, 157, "utf8");
  block.write("ustar\x0000", 257, "latin1");
  block.write(
    octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
    "latin1",
  );
  return block;
};

/** @returns a tar with these members, and its end */
export const tarOf = (members: readonly RawMember[]): Buffer =>
  Buffer.concat([
    ...members.flatMap((member) => {
      const bytes = Buffer.from(member.bytes ?? "");
      return [tarHeader(member, member.size ?? bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
    }),
    Buffer.alloc(1_024),
  ]);

/** @returns a zip with these members, as written on DOS, or on Unix if there is a mode */
export const zipOf = (members: readonly RawMember[]): Buffer => {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const bytes = Buffer.from(member.bytes ?? "");
    const packed = member.packed ?? deflateRawSync(bytes);
    const name = Buffer.from(member.name);
    const extra = member.extra ?? Buffer.alloc(0);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(member.flags ?? 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(0x58_5d_60_00, 6);
    fields.writeUInt32LE(member.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(member.size ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    fields.writeUInt16LE(extra.length, 24);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((member.mode ?? 0) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, extra, packed]);
    const made = Buffer.from([20, member.mode === undefined ? 0 : 3]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), made, fields, tail, name, extra]));
    locals.push(local);
    offset += local.length;
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, records, end]);
};

/** @returns a cpio (newc); a mode of 0o120777 makes a link */
export const cpioOf = (members: readonly RawMember[]): Buffer =>
  Buffer.concat(
    [...members, { name: "TRAILER!!!", mode: 0 }].flatMap((member: RawMember, index) => {
      const { name, mode = 0o100_644, bytes = "", number = 1_000 + index } = member;
      const data = Buffer.from(bytes);
      const path = Buffer.concat([Buffer.from(name), Buffer.from([0])]);
      const numbers = [
        number,
        mode,
        0,
        0,
        member.number === undefined ? 1 : 2,
        1_700_000_000,
        data.length,
        0,
        0,
        0,
        0,
        path.length,
        0,
      ];
      const header = `070701${numbers.map((value) => value.toString(16).padStart(8, "0")).join("")}`;
      const head = Buffer.concat([Buffer.from(header), path]);
      const pad = (length: number) => Buffer.alloc((4 - (length % 4)) % 4);
      return [head, pad(head.length), data, pad(data.length)];
    }),
  );
