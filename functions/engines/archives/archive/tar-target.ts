import { pipeline } from "node:stream/promises";
import { type Header, type Pack, pack } from "tar-stream";
import { type ArchiveEntry, permissionsOf } from "./entry.ts";
import { buffersOf, gathered } from "./through.ts";

/** Buffer size of the tar stream in bytes. */
const BUFFER_BYTES = 262_144;

/** @returns the bytes of a tar (POSIX.1-2017 "ustar", with pax headers for values that do not fit) */
export const tarBytes = async function* (entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  const tar = pack({ highWaterMark: BUFFER_BYTES });
  fill(tar, entries).catch((error) => tar.destroy(error));
  yield* gathered(buffersOf(tar));
};

const fill = async (tar: Pack, entries: AsyncIterable<ArchiveEntry>): Promise<void> => {
  for await (const entry of entries) {
    if (tar.destroyed) {
      return;
    }
    if (entry.kind !== "file") {
      tar.entry(headerOf(entry));
    } else if (entry.bytes > IN_MEMORY_BYTES_MAX) {
      await pipeline(entry.content(), tar.entry(headerOf(entry)));
    } else {
      await addInOneCall(tar, entry);
    }
  }
  tar.finalize();
};

/** Maximum bytes of a file that is written in one call: for many small files, a pipeline costs more than the data. */
const IN_MEMORY_BYTES_MAX = 65_536;

const addInOneCall = async (tar: Pack, entry: ArchiveEntry): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of entry.content()) {
    chunks.push(chunk);
  }
  await new Promise<void>((resolve, reject) => {
    tar.entry(headerOf(entry), Buffer.concat(chunks), (error) => (error ? reject(error) : resolve()));
  });
};

const TYPES = { file: "file", hardlink: "link", symlink: "symlink", folder: "directory" } as const;

/** The latest time that tar-stream writes into a header's field: it uses 32 bits (3.2.2). */
const SECONDS_MAX = 2 ** 31 - 1;

const headerOf = (entry: ArchiveEntry): Partial<Header> & Pick<Header, "name"> => {
  const { kind, path, target = "" } = entry;
  const milliseconds = entry.modified.getTime();
  const seconds = Math.min(SECONDS_MAX, Math.max(0, Math.floor(milliseconds / 1_000)));
  const exact = seconds * 1_000 === milliseconds;
  return {
    name: kind === "folder" ? `${path}/` : path,
    type: TYPES[kind],
    mode: permissionsOf(entry),
    // All entries belong to uid and gid 0, because the archive is not from a particular system.
    uid: 0,
    gid: 0,
    size: kind === "file" ? entry.bytes : 0,
    mtime: new Date(seconds * 1_000),
    ...((kind === "symlink" || kind === "hardlink") && { linkname: target }),
    ...(!exact && { pax: { mtime: String(milliseconds / 1_000) } }),
  };
};
