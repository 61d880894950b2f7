import { corrupt } from "../codec.ts";

/** Reads bytes from start to end. */
export interface ByteReader {
  readonly view: Buffer;
  at: number;
  /** @returns the offset of the next bytes, and skips them. Throws `source_corrupt` when fewer are left */
  skip(count: number): number;
  /** @returns this many bytes */
  take(count: number): Buffer;
  /** @returns this many bytes as UTF-8. Throws `source_corrupt` when they are invalid */
  text(count: number): string;
  ended(): boolean;
}

export const byteReader = (view: Buffer, format: string): ByteReader => {
  const reader: ByteReader = {
    view,
    at: 0,
    skip: (count) => {
      const start = reader.at;
      if (count < 0 || start + count > view.length) {
        throw corrupt(`The ${format} file is truncated at byte ${view.length}.`);
      }
      reader.at = start + count;
      return start;
    },
    take: (count) => {
      const start = reader.skip(count);
      return view.subarray(start, start + count);
    },
    text: (count) => {
      const part = reader.take(count);
      try {
        return UTF8.decode(part);
      } catch (error) {
        throw corrupt(`The ${format} file has a text that is not UTF-8.`, { cause: error });
      }
    },
    ended: () => reader.at >= view.length,
  };
  return reader;
};

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Collects bytes in a growing buffer. */
export interface ByteWriter {
  /** @returns the offset of newly reserved bytes */
  room(count: number): number;
  /** Adds bytes, which `fill` writes at the offset. */
  add(count: number, fill: (view: Buffer, at: number) => void): void;
  /** Writes a four-byte length at an offset that was reserved for it. */
  setInt32(value: number, at: number): void;
  byte(value: number): void;
  bytes(value: Uint8Array): void;
  /** @returns all bytes written */
  done(): Buffer;
}

const FIRST_BYTES = 65_536;

export const byteWriter = (): ByteWriter => {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let end = 0;
  const writer: ByteWriter = {
    room: (count) => {
      if (end + count > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(end + count, buffer.length * 2));
        buffer.copy(larger, 0, 0, end);
        buffer = larger;
      }
      end += count;
      return end - count;
    },
    add: (count, fill) => {
      const at = writer.room(count);
      fill(buffer, at);
    },
    setInt32: (value, at) => {
      buffer.writeInt32LE(value, at);
    },
    byte: (value) => {
      const at = writer.room(1);
      buffer[at] = value;
    },
    bytes: (value) => {
      const at = writer.room(value.length);
      buffer.set(value, at);
    },
    done: () => buffer.subarray(0, end),
  };
  return writer;
};
