/** The resolution of a plain image, as its JPEG states it (JFIF, ITU-T T.871, 10.1). */
export interface Resolution {
  readonly unit: Unit;
  /** Pixels per unit, the same in both directions. Without a unit 1, for square pixels. */
  readonly density: number;
}

type Unit = (typeof UNITS)[number];

const [NO_UNIT, INCH, CENTIMETER] = [0, 1, 2] as const;
const UNITS = [NO_UNIT, INCH, CENTIMETER] as const;
/** The resolution of an image that specifies none. */
export const SQUARE: Resolution = { unit: NO_UNIT, density: 1 };

/** The resolution of an image that specifies one which {@link Resolution} cannot express. */
export const INEXPRESSIBLE = "inexpressible";

const METERS_PER_INCH = 0.0254;
const [METER, PHYS_BYTES] = [1, 9];
const DENSITY_MAX = 65_535;
/** A density in pixels per meter is rounded: 72 per inch is 2,835 or 2,834. */
const ROUNDING_MAX = 0.02;

/** @param at the data of the `pHYs` chunk (PNG, Third Edition, 11.3.4.3) */
export const resolutionOfPng = (bytes: Buffer, at: number): Resolution | typeof INEXPRESSIBLE => {
  if (at + PHYS_BYTES > bytes.length) {
    return INEXPRESSIBLE;
  }
  const [across, down] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  const exact = across * METERS_PER_INCH;
  const density = Math.round(exact);
  const isWhole = density > 0 && density <= DENSITY_MAX && Math.abs(exact - density) <= ROUNDING_MAX;
  return bytes[at + 8] === METER && across === down && isWhole ? { unit: INCH, density } : INEXPRESSIBLE;
};

const IDENTIFIER = "JFIF\0";

/** @param at the data of an `APP0` segment @returns undefined for another segment, and for square pixels without a unit */
export const resolutionOfJfif = (bytes: Buffer, at: number): Resolution | typeof INEXPRESSIBLE | undefined => {
  if (at + 12 > bytes.length || bytes.toString("latin1", at, at + 5) !== IDENTIFIER) {
    return undefined;
  }
  const unit = UNITS.find((known) => known === bytes[at + 7]);
  const [across, down] = [bytes.readUInt16BE(at + 8), bytes.readUInt16BE(at + 10)];
  if (unit === undefined || across !== down || across === 0) {
    return INEXPRESSIBLE;
  }
  return unit === NO_UNIT ? undefined : { unit, density: across };
};

/** Marker, length, identifier, version 1.02, unit, two densities, and no thumbnail. */
const SEGMENT = Buffer.from("\xff\xe0\0\x10JFIF\0\x01\x02\0\0\0\0\0\0\0", "latin1");
const JPEG_START_BYTES = 2;

/** @returns the JPEG with a JFIF segment, which libvips omits in images without metadata */
export const withJfif = (jpeg: Buffer, { unit, density }: Resolution): Buffer => {
  const segment = Buffer.from(SEGMENT);
  segment[11] = unit;
  segment.writeUInt16BE(density, 12);
  segment.writeUInt16BE(density, 14);
  return Buffer.concat([jpeg.subarray(0, JPEG_START_BYTES), segment, jpeg.subarray(JPEG_START_BYTES)]);
};
