import { corrupt } from "./codec.ts";

/** Reads a file of bytes from its beginning to its end. */
export interface ByteReader {
  readonly view: Buffer;
  at: number;
  /** @returns where so many bytes begin, and goes over them. Throws `source_corrupt` when they are not there */
  skip(count: number): number;
  /** @returns so many bytes */
  take(count: number): Buffer;
  /** @returns so many bytes as UTF-8. Throws `source_corrupt` when they are not */
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
        throw corrupt(`The ${format} breaks off at byte ${view.length}.`);
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
        throw corrupt(`The ${format} has a text that is not UTF-8.`, { cause: error });
      }
    },
    ended: () => reader.at >= view.length,
  };
  return reader;
};

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Gathers bytes. */
export interface ByteWriter {
  /** @returns where so many bytes may be written in {@link ByteWriter.view} */
  room(count: number): number;
  view(): Buffer;
  byte(value: number): void;
  bytes(value: Uint8Array): void;
  /** @returns all that was written */
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
    view: () => buffer,
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
