import { open, readFile } from "node:fs/promises";

/**
 * Joins single-page TIFFs into one multi-page TIFF, page by page, so that memory holds one page and page sizes may
 * differ. libvips would need one tall picture of all pages, all of equal size.
 *
 * @param paths little-endian TIFFs with one directory each, as libvips writes them (TIFF 6.0, section 2)
 */
export const joinTiffs = async (paths: readonly string[], output: string): Promise<void> => {
  const file = await open(output, "wx");
  try {
    let end = 0;
    // Offset of the pointer to the next directory.
    let link = LINK_IN_HEADER;
    for (const path of paths) {
      const page = await readFile(path);
      const start = end + (end % 2);
      const { directory, next } = moved(page, start);
      await file.write(page, 0, page.length, start);
      if (start > 0) {
        await file.write(number(start + directory), 0, 4, link);
      }
      link = start + next;
      end = start + page.length;
    }
  } finally {
    await file.close();
  }
};

const LINK_IN_HEADER = 4;
const ENTRY_BYTES = 12;
const LONG = 4;
const STRIP_OFFSETS = 273;
const TILE_OFFSETS = 324;

/** Bytes per value, by type. */
const BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
};

/** Adds `by` to all offsets of the page. @returns the offset of its directory and of the pointer to the next one */
const moved = (page: Buffer, by: number): { directory: number; next: number } => {
  const directory = page.readUInt32LE(LINK_IN_HEADER);
  const count = page.readUInt16LE(directory);
  for (let index = 0; index < count; index += 1) {
    moveEntry(page, directory + 2 + index * ENTRY_BYTES, by);
  }
  page.writeUInt32LE(directory + by, LINK_IN_HEADER);
  return { directory, next: directory + 2 + count * ENTRY_BYTES };
};

const moveEntry = (page: Buffer, entry: number, by: number): void => {
  const [tag, type, count] = [page.readUInt16LE(entry), page.readUInt16LE(entry + 2), page.readUInt32LE(entry + 4)];
  const bytes = (BYTES[type] ?? 1) * count;
  const value = page.readUInt32LE(entry + 8);
  const points = (tag === STRIP_OFFSETS || tag === TILE_OFFSETS) && type === LONG;
  if (points) {
    const first = bytes > 4 ? value : entry + 8;
    for (let at = first; at < first + bytes; at += 4) {
      page.writeUInt32LE(page.readUInt32LE(at) + by, at);
    }
  }
  if (bytes > 4) {
    page.writeUInt32LE(value + by, entry + 8);
  }
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
