const NEW_SUBFILE_TYPE = 254;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const MAKE = 271;
const SUB_DIRECTORIES = 330;
const DNG_VERSION = 50_706;

/**
 * Photometric interpretations of sensor data: color filter array and linear raw (DNG 1.7, PhotometricInterpretation).
 */
const SENSOR_PHOTOMETRICS = [32_803, 34_892];

/** Compressions that only cameras use: Sony, Samsung, Nikon, Kodak, Pentax. */
const SENSOR_COMPRESSIONS = [32_767, 32_770, 34_713, 65_000, 65_535];

const ENTRIES_MAX = 200;
const DIRECTORIES_MAX = 16;

/** Camera makers as named in the directory, and their formats. */
const MAKERS = [
  ["nikon", "nef"],
  ["sony", "arw"],
  ["pentax", "pef"],
  ["ricoh", "pef"],
  ["samsung", "srw"],
] as const;

/**
 * Camera raw files (DNG, NEF, CR2, ARW, …) have the signature of TIFF, but their first image is a thumbnail: read as
 * TIFF, the thumbnail would be the only result.
 *
 * @returns what such a file proves to be, most general first: `raw` for all of them, and the format of a maker; empty
 * for other files (TIFF 6.0, section 8; DNG 1.7)
 */
export const cameraContents = (head: Uint8Array): string[] => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const order = view.toString("latin1", 0, 4);
  if (view.length < 10 || (order !== "II*\0" && order !== "MM\0*")) {
    return [];
  }
  const tiff = reader(view, order === "II*\0");
  const directories = directoriesOf(tiff);
  const [first = []] = directories;
  if (first.some(({ tag }) => tag === DNG_VERSION)) {
    return ["raw", "dng"];
  }
  if (view.toString("latin1", 8, 10) === "CR") {
    return ["raw", "cr2"];
  }
  const thumbnail = first.some((entry) => entry.tag === NEW_SUBFILE_TYPE && (tiff.long(entry.at + 8) & 1) === 1);
  if (!thumbnail && !directories.flat().some((entry) => isOfSensor(tiff, entry))) {
    return [];
  }
  const make = first.find(({ tag }) => tag === MAKE);
  const maker = make === undefined ? "" : textAt(view, tiff, make.at).toLowerCase();
  return ["raw", ...MAKERS.filter(([name]) => maker.startsWith(name)).map(([, format]) => format)];
};

/** Reads numbers in the byte order of the file; 0 beyond its end. */
interface Tiff {
  readonly short: (at: number) => number;
  readonly long: (at: number) => number;
}

const reader = (view: Buffer, little: boolean): Tiff => ({
  short: (at) => (at + 2 > view.length ? 0 : little ? view.readUInt16LE(at) : view.readUInt16BE(at)),
  long: (at) => (at + 4 > view.length ? 0 : little ? view.readUInt32LE(at) : view.readUInt32BE(at)),
});

interface Entry {
  readonly tag: number;
  /** The offset of the entry: tag, type, count, value. */
  readonly at: number;
}

/** @returns the entries of the directories in the chain and of their subdirectories, as far as they are in the head */
const directoriesOf = (tiff: Tiff): Entry[][] => {
  const directories: Entry[][] = [];
  const offsets = [tiff.long(4)];
  for (let at = offsets.shift(); at !== undefined && directories.length < DIRECTORIES_MAX; at = offsets.shift()) {
    if (at === 0) {
      continue;
    }
    const directory = at;
    const count = Math.min(tiff.short(directory), ENTRIES_MAX);
    const entries = Array.from({ length: count }, (_, index) => directory + 2 + index * 12).map((entry) => ({
      tag: tiff.short(entry),
      at: entry,
    }));
    directories.push(entries);
    offsets.push(tiff.long(directory + 2 + count * 12));
    offsets.push(...entries.filter(({ tag }) => tag === SUB_DIRECTORIES).flatMap((entry) => within(tiff, entry)));
  }
  return directories;
};

/** @returns the offsets of an entry's directories: a single one is in the entry, several are where it points to */
const within = (tiff: Tiff, { at }: Entry): number[] => {
  const count = Math.min(tiff.long(at + 4), DIRECTORIES_MAX);
  const list = count === 1 ? at + 8 : tiff.long(at + 8);
  return Array.from({ length: count }, (_, index) => tiff.long(list + index * 4));
};

const isOfSensor = (tiff: Tiff, { tag, at }: Entry): boolean =>
  (tag === PHOTOMETRIC && SENSOR_PHOTOMETRICS.includes(tiff.short(at + 8))) ||
  (tag === COMPRESSION && SENSOR_COMPRESSIONS.includes(tiff.short(at + 8)));

const textAt = (view: Buffer, tiff: Tiff, at: number): string => {
  const length = tiff.long(at + 4);
  const start = length <= 4 ? at + 8 : tiff.long(at + 8);
  return view.toString("latin1", start, start + Math.min(length, 40));
};
