import { JobError } from "../../../domain/errors.ts";

/** Reads a stream of headers (lines up to an empty one) with blocks of a known length after them. */
export interface HeadReader {
  /** @returns the next header without its last line end; undefined at the end @throws JobError `source_corrupt` */
  head(): Promise<string | undefined>;
  /** @returns the next line without its end; undefined at the end @throws JobError `source_corrupt` */
  line(): Promise<string | undefined>;
  /** Returns this many bytes. Read them before the next header. @throws JobError `source_corrupt` */
  block(bytes: number): AsyncGenerator<Buffer>;
  /** Returns the bytes to the end of the stream. */
  rest(): AsyncGenerator<Buffer>;
}

const HEAD_BYTES_MAX = 65_536;
const [CR, LF] = [13, 10];

export const headReader = (source: AsyncIterable<Buffer>): HeadReader => {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    held = next.done === true ? held : Buffer.concat([held, next.value]);
    return next.done !== true;
  };
  const cut = (bytes: number): Buffer => {
    const piece = held.subarray(0, bytes);
    held = held.subarray(piece.length);
    return piece;
  };
  const upTo = async (endings: readonly string[], skipped: (bytes: Buffer) => number): Promise<string | undefined> => {
    for (;;) {
      cut(skipped(held));
      const end = firstOf(endings, held.subarray(0, HEAD_BYTES_MAX));
      if (end !== undefined) {
        return cut(end.at + end.length).toString("utf8", 0, end.at);
      }
      if (held.length > HEAD_BYTES_MAX) {
        throw new JobError("source_corrupt", "A header in the file has no end.");
      }
      if (!(await more())) {
        if (held.length > 0) {
          throw new JobError("source_corrupt", "The file is truncated: the end of a header is missing.");
        }
        return undefined;
      }
    }
  };
  return {
    head: () => upTo(["\r\n\r\n", "\n\n"], lineEndsIn),
    line: () => upTo(["\r\n", "\n"], () => 0),
    block: async function* (bytes) {
      for (let left = bytes; left > 0; ) {
        if (held.length === 0 && !(await more())) {
          throw new JobError("source_corrupt", "The file is truncated.");
        }
        const piece = cut(left);
        left -= piece.length;
        yield piece;
      }
    },
    rest: async function* () {
      do {
        yield cut(held.length);
      } while (await more());
    },
  };
};

/** @returns where the first of these endings is, the longer one if both are */
const firstOf = (endings: readonly string[], bytes: Buffer): { at: number; length: number } | undefined =>
  endings
    .map((ending) => ({ at: bytes.indexOf(ending, 0, "latin1"), length: ending.length }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at)[0];

/** @returns the number of line ends at the start: records end with two */
const lineEndsIn = (bytes: Buffer): number => {
  const first = bytes.findIndex((byte) => byte !== CR && byte !== LF);
  return first === -1 ? bytes.length : first;
};

/** @returns the fields of a header, by lower-case name */
export const fieldsOf = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head
      .replaceAll(/\r?\n[ \t]+/g, " ")
      .split(/\r?\n/)
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
  );
