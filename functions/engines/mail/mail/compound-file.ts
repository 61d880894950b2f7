/**
 * Checks that an OLE compound file can be read to its end ([MS-CFB]): its sector chains end, its folders form a tree,
 * and its streams are not larger than the file. The message reader would loop forever on a file that fails this.
 */
export const isSoundCompoundFile = (bytes: Buffer): boolean => {
  const file = tablesOf(bytes);
  if (file === undefined) {
    return false;
  }
  const folders = chainOf(file.next, integer(bytes, DIRECTORY), file.sectors);
  const small = chainOf(file.next, integer(bytes, SMALL_TABLE), file.sectors);
  if (folders === undefined || small === undefined) {
    return false;
  }
  const perSector = file.sectorBytes / ENTRY_BYTES;
  const entries = folders.flatMap((sector) =>
    Array.from({ length: perSector }, (_, index) => (sector + 1) * file.sectorBytes + index * ENTRY_BYTES),
  );
  const root = entries[0];
  const table = small.map((sector) => (sector + 1) * file.sectorBytes);
  return (
    root !== undefined &&
    chainOf(file.next, integer(bytes, root + START), file.sectors) !== undefined &&
    isTree(bytes, entries) &&
    areStreams(bytes, entries, (sector) => nextIn(bytes, table, { sector, sectorBytes: file.sectorBytes }))
  );
};

/** Offsets in the header, and in a directory entry. */
const SECTOR_SHIFT = 30;
const TABLES = 44;
const DIRECTORY = 48;
const SMALL_TABLE = 60;
const SMALL_TABLES = 64;
const FURTHER = 68;
const FURTHER_TABLES = 72;
const FIRST_TABLES = 76;
const FIRST_TABLES_MAX = 109;
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const [KIND, LEFT, RIGHT, CHILD, START, SIZE] = [66, 68, 72, 76, 116, 120] as const;
const STREAM = 2;
const LARGE_SHIFT = 12;
/** Smaller streams are stored in mini sectors. */
const LARGE_STREAM_BYTES = 4_096;
const SMALL_SECTOR_BYTES = 64;

/** @returns the integer at the offset; the end-of-chain marker when the offset is beyond the end */
const integer = (bytes: Buffer, at: number): number =>
  at >= 0 && at + 4 <= bytes.length ? bytes.readInt32LE(at) : END_OF_CHAIN;
const END_OF_CHAIN = -2;

/** @returns the next sector in a chain, from a table whose parts are at these offsets */
const nextIn = (
  bytes: Buffer,
  table: readonly number[],
  { sector, sectorBytes }: { sector: number; sectorBytes: number },
): number => {
  const perPiece = sectorBytes / 4;
  const piece = table[Math.floor(sector / perPiece)];
  return piece === undefined ? END_OF_CHAIN : integer(bytes, piece + 4 * (sector % perPiece));
};

/** @returns the sector allocation table; undefined when there are more tables than sectors */
const tablesOf = (bytes: Buffer) => {
  if (bytes.length < HEADER_BYTES) {
    return undefined;
  }
  const sectorBytes = bytes[SECTOR_SHIFT] === LARGE_SHIFT ? 4_096 : HEADER_BYTES;
  const sectors = Math.ceil(bytes.length / sectorBytes);
  const [count, further] = [integer(bytes, TABLES), integer(bytes, FURTHER_TABLES)];
  if ([count, further, integer(bytes, SMALL_TABLES)].some((tables) => tables < 0 || tables > sectors)) {
    return undefined;
  }
  const offsets = Array.from({ length: Math.min(count, FIRST_TABLES_MAX) }, (_, at) => FIRST_TABLES + 4 * at);
  let sector = integer(bytes, FURTHER);
  for (let piece = 0; piece < further && sector >= 0; piece += 1) {
    const start = (sector + 1) * sectorBytes;
    const last = sectorBytes / 4 - 1;
    offsets.push(...Array.from({ length: Math.min(last, count - offsets.length) }, (_, at) => start + 4 * at));
    sector = integer(bytes, start + 4 * last);
  }
  const table = offsets.map((offset) => (integer(bytes, offset) + 1) * sectorBytes);
  return { sectorBytes, sectors, next: (at: number) => nextIn(bytes, table, { sector: at, sectorBytes }) };
};

/** @returns the sectors of a chain; undefined when it is longer than the file, which means that it loops */
const chainOf = (next: (sector: number) => number, start: number, sectorsMax: number): number[] | undefined => {
  const chain: number[] = [];
  for (let sector = start; sector >= 0; sector = next(sector)) {
    if (chain.length >= sectorsMax) {
      return undefined;
    }
    chain.push(sector);
  }
  return chain;
};

/** Whether each directory entry is reached at most once, as a sibling or as a child. */
const isTree = (bytes: Buffer, entries: readonly number[]): boolean => {
  const seen = new Set([0]);
  const open = [0];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const entry = entries[index] ?? Number.NEGATIVE_INFINITY;
    const links = [LEFT, RIGHT, CHILD].map((link) => integer(bytes, entry + link)).filter((to) => to >= 0);
    if (links.some((to) => seen.has(to)) || new Set(links).size < links.length) {
      return false;
    }
    for (const link of links) {
      seen.add(link);
      open.push(link);
    }
  }
  return true;
};

const areStreams = (bytes: Buffer, entries: readonly number[], nextSmall: (sector: number) => number): boolean => {
  const streams = entries.filter((entry) => bytes[entry + KIND] === STREAM);
  const sizes = streams.map((entry) => integer(bytes, entry + SIZE) >>> 0);
  const smallMax = Math.ceil(bytes.length / SMALL_SECTOR_BYTES);
  return (
    sizes.reduce((sum, size) => sum + size, 0) <= bytes.length &&
    streams.every(
      (entry, index) =>
        (sizes[index] ?? 0) >= LARGE_STREAM_BYTES ||
        chainOf(nextSmall, integer(bytes, entry + START), smallMax) !== undefined,
    )
  );
};
