import { JobError } from "../../../domain/errors.ts";

/** Reads a byte stream in pieces of the requested size. */
export interface ByteReader {
  /**
   * @returns exactly this many bytes; undefined when the stream ends before the first of them
   * @throws JobError `source_corrupt` when the stream ends within them
   */
  take(bytes: number): Promise<Buffer | undefined>;
  /**
   * @returns the next bytes: at least one and at most this many
   * @throws JobError `source_corrupt` when the stream has ended
   */
  some(bytesMax: number): Promise<Buffer>;
  /** Reads to the end and discards the bytes. */
  rest(): Promise<void>;
}

export const byteReader = (source: AsyncIterable<Buffer>): ByteReader => {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const fill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done === true) {
        return false;
      }
      rest = next.value;
    }
    return true;
  };
  const cut = (bytes: number): Buffer => {
    const piece = rest.subarray(0, bytes);
    rest = rest.subarray(piece.length);
    return piece;
  };
  const some = async (bytesMax: number): Promise<Buffer> => {
    if (!(await fill())) {
      throw new JobError("source_corrupt", "The archive is truncated.");
    }
    return cut(bytesMax);
  };
  return {
    some,
    rest: async () => {
      while (await fill()) {
        cut(rest.length);
      }
    },
    take: async (bytes) => {
      if (rest.length >= bytes) {
        return cut(bytes);
      }
      if (!(await fill())) {
        return undefined;
      }
      const pieces: Buffer[] = [];
      for (let left = bytes; left > 0; left -= pieces.at(-1)?.length ?? 0) {
        pieces.push(await some(left));
      }
      return Buffer.concat(pieces);
    },
  };
};
