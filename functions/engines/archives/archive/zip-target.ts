import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";
import { LEVELS } from "../../../domain/conversions/by-engine/archives/packed.ts";
import { centralRecord, endRecords, localHeader, type MemberRecord } from "../zip/records.ts";
import type { ArchiveEntry } from "./entry.ts";
import { through } from "./through.ts";

/** Maximum bytes of a file that is compressed in memory; larger ones are streamed. */
const IN_MEMORY_BYTES_MAX = 1_048_576;

/**
 * Writes a zip (APPNOTE.TXT 6.3.10): names in UTF-8, times in UTC in addition to DOS times, permissions, sizes over 4
 * GB. Each header is written when the sizes are known, so readers that stream need no data descriptors.
 */
export const writeZipArchive = async (
  output: string,
  entries: AsyncIterable<ArchiveEntry>,
  level: number = LEVELS.deflate,
): Promise<void> => {
  const file = await open(output, "wx");
  try {
    const sink = sinkOf(file);
    const directory: Buffer[] = [];
    for await (const entry of entries) {
      const header = sink.at();
      const member =
        entry.bytes > IN_MEMORY_BYTES_MAX ? await streamed(sink, entry, level) : await buffered(sink, entry, level);
      directory.push(centralRecord(member, header));
    }
    const start = sink.at();
    const records = Buffer.concat(directory);
    await sink.write(records);
    await sink.write(endRecords(directory.length, records.length, start));
    await sink.flush();
  } finally {
    await file.close();
  }
};

const packAll = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** The largest Deflate window, as a power of two. The compressor allocates and clears eight times that much memory. */
const WINDOW_BITS_MAX = 15;

/** Node allocates chunks of 16 kB, however small the output. This is the minimum it allows. */
const CHUNK_BYTES_MIN = 64;

/** @returns the compressed bytes; small inputs use one call and a small window, since setup would dominate otherwise */
const packed = async (plain: Buffer, level: number): Promise<Buffer> => {
  const windowBits = Math.max(9, Math.ceil(Math.log2(plain.length)));
  return windowBits >= WINDOW_BITS_MAX
    ? packAll(plain, { level })
    : deflateRawSync(plain, { level, windowBits, memLevel: windowBits - 7, chunkSize: plain.length + CHUNK_BYTES_MIN });
};

const buffered = async (sink: Sink, entry: ArchiveEntry, level: number): Promise<MemberRecord> => {
  const chunks: Buffer[] = [];
  if (entry.kind === "file") {
    for await (const chunk of entry.content()) {
      chunks.push(chunk);
    }
  }
  const plain = Buffer.concat(chunks);
  const small = plain.length === 0 ? plain : await packed(plain, level);
  const stored = small.length >= plain.length;
  const data = stored ? plain : small;
  const member: MemberRecord = {
    entry,
    method: stored ? 0 : 8,
    crc: crc32(plain),
    bytes: plain.length,
    packed: data.length,
    large: false,
  };
  await sink.write(localHeader(member));
  await sink.write(data);
  return member;
};

/** Deflate adds five bytes to each 16 kB that it cannot compress, so sizes below this stay below 4 GB. */
const LARGE_BYTES = 4_200_000_000;

const streamed = async (sink: Sink, entry: ArchiveEntry, level: number): Promise<MemberRecord> => {
  const start = sink.at();
  const member = { entry, method: 8 as const, crc: 0, bytes: 0, packed: 0, large: entry.bytes > LARGE_BYTES };
  const header = localHeader(member);
  await sink.write(header);
  let [crc, bytes] = [0, 0];
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of entry.content()) {
      crc = crc32(chunk, crc);
      bytes += chunk.length;
      yield chunk;
    }
  };
  for await (const chunk of through(watched(), createDeflateRaw({ level }))) {
    await sink.write(chunk);
  }
  const known = { ...member, crc, bytes, packed: sink.at() - start - header.length };
  await sink.patch(localHeader(known), start);
  return known;
};

/** Writes in sequence and buffers small writes. */
interface Sink {
  at(): number;
  write(bytes: Buffer): Promise<void>;
  /** Overwrites bytes at an offset. */
  patch(bytes: Buffer, at: number): Promise<void>;
  flush(): Promise<void>;
}

const SINK_BYTES = 262_144;

const sinkOf = (file: FileHandle): Sink => {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let written = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(held);
    [held, heldBytes] = [[], 0];
    await writeAt(file, bytes, written);
    written += bytes.length;
  };
  return {
    at: () => written + heldBytes,
    write: async (bytes) => {
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes > SINK_BYTES) {
        await flush();
      }
    },
    patch: async (bytes, at) => {
      await flush();
      await writeAt(file, bytes, at);
    },
    flush,
  };
};

/** One write call may accept fewer bytes than it is given. */
const writeAt = async (file: FileHandle, bytes: Buffer, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
};
