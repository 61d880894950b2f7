const GPS_DIRECTORY = 0x8825;
const ENTRY_BYTES = 12;
const ENTRIES_MAX = 200;

/** Bytes of a value of each type (TIFF 6.0, section 2). */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** Numbers in the byte order of the data; 0 beyond its end. */
interface Numbers {
  readonly short: (at: number) => number;
  readonly long: (at: number) => number;
  readonly setShort: (at: number, value: number) => void;
}

const numbersIn = (tiff: Buffer): Numbers => {
  const little = tiff.toString("latin1", 0, 2) === "II";
  return {
    short: (at) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)),
    long: (at) => (at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)),
    setShort: (at, value) => void (little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)),
  };
};

/** @returns the offset of the entry that points to the GPS directory; undefined if there is none */
const gpsEntry = (tiff: Buffer): number | undefined => {
  const { short, long } = numbersIn(tiff);
  const directory = tiff.length < 8 ? 0 : long(4);
  const count = directory === 0 ? 0 : Math.min(short(directory), ENTRIES_MAX);
  const entries = Array.from({ length: count }, (_, index) => directory + 2 + index * ENTRY_BYTES);
  return entries.find((at) => at + ENTRY_BYTES <= tiff.length && short(at) === GPS_DIRECTORY);
};

/** A directory with only its version, as some cameras without a receiver write it, contains no location. */
const VERSION = 0;

/** @returns whether EXIF data has a location. @param tiff its TIFF structure */
export const hasGps = (tiff: Buffer): boolean => {
  const entry = gpsEntry(tiff);
  return entry !== undefined && entriesAt(tiff, numbersIn(tiff).long(entry + 8)).some(({ tag }) => tag !== VERSION);
};

/**
 * Removes the GPS directory of EXIF data (EXIF 2.32, 4.6.3) in place: the length stays the same, so that no offset
 * changes. Its entries and their values become zeros, and the entry that points to it is deleted.
 *
 * @param tiff the TIFF structure
 */
export const removeGps = (tiff: Buffer): void => {
  const entry = gpsEntry(tiff);
  if (entry === undefined) {
    return;
  }
  const { short, long, setShort } = numbersIn(tiff);
  const gps = long(entry + 8);
  for (const { at, value, bytes } of entriesAt(tiff, gps)) {
    tiff.fill(0, value, Math.min(tiff.length, value + bytes));
    tiff.fill(0, at, at + ENTRY_BYTES);
  }
  const directory = long(4);
  const count = short(directory);
  const end = Math.min(tiff.length, directory + 2 + count * ENTRY_BYTES + 4);
  tiff.copyWithin(entry, entry + ENTRY_BYTES, end);
  tiff.fill(0, end - ENTRY_BYTES, end);
  setShort(directory, count - 1);
};

interface Entry {
  readonly tag: number;
  readonly at: number;
  /** Where the value is, and its length. */
  readonly value: number;
  readonly bytes: number;
}

/** @returns the complete entries of a directory */
const entriesAt = (tiff: Buffer, directory: number): Entry[] => {
  const { short, long } = numbersIn(tiff);
  const count = directory === 0 ? 0 : Math.min(short(directory), ENTRIES_MAX);
  return Array.from({ length: count }, (_, index) => directory + 2 + index * ENTRY_BYTES)
    .filter((at) => at + ENTRY_BYTES <= tiff.length)
    .map((at) => {
      const bytes = (TYPE_BYTES[short(at + 2)] ?? 0) * long(at + 4);
      return { tag: short(at), at, bytes, value: bytes <= 4 ? at + 8 : long(at + 8) };
    });
};
