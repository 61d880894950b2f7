import { crc32 } from "node:zlib";
import { JobError } from "../../../domain/errors.ts";
import { byteReader } from "../archive/byte-reader.ts";
import { noContent, type RawEntry } from "../archive/entry.ts";

/** An entry in the archive's list. */
export interface Listed extends Omit<RawEntry, "content"> {
  /** Bytes of it in the contents; for a link, its target. */
  readonly streamed: number;
  /** CRC-32 of these bytes, when the list has it. */
  readonly crc?: number | undefined;
  /** Returns the content when it is not part of the concatenated contents. */
  readonly apart?: () => AsyncIterable<Buffer>;
}

const LINK_BYTES_MAX = 4_096;

/**
 * Splits the concatenated contents of an archive among the entries of its list, in list order. Sizes and checksums
 * decide whether it succeeded: these programs exit with 0 even after losing data.
 *
 * @param name name of the archive for error messages
 * @throws JobError `source_corrupt` when there are more or fewer bytes than listed, or a checksum differs; errors of
 * the contents
 */
export const dealtOut = async function* (
  listed: readonly Listed[],
  contents: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<RawEntry> {
  const reader = byteReader(contents);
  for (const { streamed, crc, apart, ...entry } of listed) {
    let left = streamed;
    let sum = 0;
    const content = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const chunk = await reader.some(left);
        left -= chunk.length;
        sum = crc32(chunk, sum);
        yield chunk;
      }
    };
    const target = entry.kind === "symlink" && !entry.target ? await textOf(content(), streamed) : entry.target;
    const own = entry.kind === "file" ? (apart ?? content) : noContent;
    yield { ...entry, content: own, ...(target !== undefined && { target }) };
    for await (const _ of content()) {
      // Skip content that was not read.
    }
    if (crc !== undefined && sum !== crc) {
      // With a wrong password all bytes differ; the program reports that when it ends.
      await reader.rest();
      throw new JobError("source_corrupt", `The ${name} is damaged: the checksum of a file in it does not match.`);
    }
  }
  if ((await reader.take(1)) !== undefined) {
    throw new JobError("source_corrupt", `The ${name} has more bytes than its list declares.`);
  }
};

const textOf = async (content: AsyncIterable<Buffer>, bytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes > LINK_BYTES_MAX ? noContent() : content) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};
