import { GPS_TAGS, IMAGE_TAGS, PHOTO_TAGS, type TagNames } from "./exif-tags.ts";

/** A value of a tag: several numbers are an array. */
type Value = string | number | readonly number[];
type Tags = Readonly<Record<string, Value>>;

const [PHOTO_DIRECTORY, GPS_DIRECTORY] = [0x8769, 0x8825];
const ENTRY_BYTES = 12;
const ENTRIES_MAX = 300;
const NUMBERS_MAX = 32;
const TEXT_BYTES_MAX = 10_000;
/** Bytes of a value of each type (TIFF 6.0, section 2; EXIF 3.0 adds UTF-8). */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 129: 1 },
};
const [ASCII, SHORT, LONG, RATIONAL, UNDEFINED, SSHORT, SLONG, SRATIONAL, FLOAT, DOUBLE, UTF8] = [
  ...[2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 129],
];

/** Metadata of a camera by directory: of the image, of the photo, and of the location. */
export interface Exif {
  readonly image: Tags;
  readonly photo: Tags;
  readonly gps: Tags;
}

/**
 * @param bytes the TIFF structure of EXIF, or the same after `Exif` and two zeros
 * @returns the known tags; undefined if it is not EXIF
 */
export const readExif = (bytes: Buffer): Exif | undefined => {
  const tiff = bytes.toString("latin1", 0, 6) === "Exif\0\0" ? bytes.subarray(6) : bytes;
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) {
    return undefined;
  }
  const reader = new TiffReader(tiff, order === "II");
  const first = reader.long(4);
  return {
    image: reader.tags(first, IMAGE_TAGS),
    photo: reader.tags(reader.pointer(first, PHOTO_DIRECTORY), PHOTO_TAGS),
    gps: reader.tags(reader.pointer(first, GPS_DIRECTORY), GPS_TAGS),
  };
};

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Position of the value. */
  readonly at: number;
}

class TiffReader {
  readonly #view: DataView;
  readonly #bytes: Buffer;
  readonly #little: boolean;

  constructor(bytes: Buffer, little: boolean) {
    this.#bytes = bytes;
    this.#little = little;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @returns 0 beyond the end */
  long(at: number): number {
    return at + 4 <= this.#bytes.length ? this.#view.getUint32(at, this.#little) : 0;
  }

  #short(at: number): number {
    return at + 2 <= this.#bytes.length ? this.#view.getUint16(at, this.#little) : 0;
  }

  /** @returns the position of a directory that a tag points to; 0 without */
  pointer(directory: number, tag: number): number {
    const entry = this.#entries(directory).find((one) => one.tag === tag);
    return entry === undefined ? 0 : this.long(entry.at);
  }

  tags(directory: number, names: TagNames): Tags {
    const found: [string, Value][] = [];
    for (const entry of this.#entries(directory)) {
      const name = names[entry.tag];
      const value = name === undefined ? undefined : this.#value(entry);
      if (name !== undefined && value !== undefined) {
        found.push([name, value]);
      }
    }
    return Object.fromEntries(found);
  }

  /** @returns the entries of a directory whose values are in the data */
  #entries(directory: number): Entry[] {
    const count = directory === 0 ? 0 : Math.min(this.#short(directory), ENTRIES_MAX);
    return Array.from({ length: count }, (_, index) => directory + 2 + index * ENTRY_BYTES)
      .filter((at) => at + ENTRY_BYTES <= this.#bytes.length)
      .map((at): Entry => {
        const [type, values] = [this.#short(at + 2), this.long(at + 4)];
        const bytes = (TYPE_BYTES[type] ?? 0) * values;
        return { tag: this.#short(at), type, count: values, at: bytes <= 4 ? at + 8 : this.long(at + 8) };
      })
      .filter(({ type, count: values, at }) => at + (TYPE_BYTES[type] ?? Number.NaN) * values <= this.#bytes.length);
  }

  #value({ type, count, at }: Entry): Value | undefined {
    if (type === ASCII || type === UTF8 || type === UNDEFINED) {
      return textOf(this.#bytes.subarray(at, at + Math.min(count, TEXT_BYTES_MAX)));
    }
    const size = TYPE_BYTES[type] ?? 0;
    const numbers = Array.from({ length: Math.min(count, NUMBERS_MAX) }, (_, index) =>
      this.#number(type, at + index * size),
    );
    const [first] = numbers;
    return numbers.length === 1 ? first : numbers.length === 0 ? undefined : numbers;
  }

  #number(type: number, at: number): number {
    switch (type) {
      case SHORT:
        return this.#view.getUint16(at, this.#little);
      case LONG:
        return this.#view.getUint32(at, this.#little);
      case SSHORT:
        return this.#view.getInt16(at, this.#little);
      case SLONG:
        return this.#view.getInt32(at, this.#little);
      case FLOAT:
        return this.#view.getFloat32(at, this.#little);
      case DOUBLE:
        return this.#view.getFloat64(at, this.#little);
      case RATIONAL:
        return ratio(this.#view.getUint32(at, this.#little), this.#view.getUint32(at + 4, this.#little));
      case SRATIONAL:
        return ratio(this.#view.getInt32(at, this.#little), this.#view.getInt32(at + 4, this.#little));
      default:
        return this.#view.getUint8(at);
    }
  }
}

/** @returns 0 for a division by zero, which stands for an unknown value */
const ratio = (numerator: number, denominator: number): number =>
  denominator === 0 ? 0 : Number((numerator / denominator).toPrecision(10));

/** Before comments: their character set (EXIF 2.32, 4.6.5). */
const CHARACTER_SETS: Readonly<Record<string, BufferEncoding>> = {
  "ASCII\0\0\0": "latin1",
  "UNICODE\0": "utf16le",
  "\0\0\0\0\0\0\0\0": "utf8",
};

/** @returns the text; undefined for other data, such as the settings of a camera */
const textOf = (bytes: Buffer): string | undefined => {
  const set = CHARACTER_SETS[bytes.toString("latin1", 0, 8)];
  const text = (set === undefined ? bytes.toString("utf8") : bytes.toString(set, 8)).replace(/\0[\s\S]*$/, "").trim();
  return isPrintable(text) ? text : undefined;
};

const isPrintable = (text: string): boolean =>
  text !== "" && !/[\p{Cc}\ufffd]/u.test(text.replaceAll(/[\t\r\n]/g, " "));

export interface Location {
  readonly latitude: number;
  readonly longitude: number;
  /** Meters above sea level. */
  readonly altitude?: number;
}

/** @returns the location in degrees, positive to the north and east; undefined without one */
export const locationIn = ({ gps }: Exif): Location | undefined => {
  const [latitude, longitude] = [degreesOf(gps.GPSLatitude), degreesOf(gps.GPSLongitude)];
  if (latitude === undefined || longitude === undefined) {
    return undefined;
  }
  const altitude = gps.GPSAltitude;
  return {
    latitude: gps.GPSLatitudeRef === "S" ? -latitude : latitude,
    longitude: gps.GPSLongitudeRef === "W" ? -longitude : longitude,
    ...(typeof altitude === "number" && { altitude: gps.GPSAltitudeRef === 1 ? -altitude : altitude }),
  };
};

/** Degrees, minutes and seconds. */
const degreesOf = (value: Value | undefined): number | undefined => {
  if (!Array.isArray(value) || value.length < 3) {
    return undefined;
  }
  const [degrees = 0, minutes = 0, seconds = 0] = value;
  return Number((degrees + minutes / 60 + seconds / 3_600).toFixed(7));
};
