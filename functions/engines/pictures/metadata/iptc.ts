/** Datasets of the application record that name a place: codes and names, city, sublocation, state, country (IIM 4.2). */
const PLACES = [26, 27, 90, 92, 95, 100, 101];
const TAG = 0x1c;
const APPLICATION_RECORD = 2;
const SPACE = 0x20;

/** @returns the values of the datasets that name a place and are not blank */
const placesIn = (iim: Buffer): Buffer[] => {
  const values: Buffer[] = [];
  for (let at = 0; at + 5 <= iim.length && iim[at] === TAG; ) {
    const length = iim.readUInt16BE(at + 3);
    const value = iim.subarray(at + 5, at + 5 + length);
    if (
      iim[at + 1] === APPLICATION_RECORD &&
      PLACES.includes(iim[at + 2] ?? 0) &&
      value.some((byte) => byte !== SPACE)
    ) {
      values.push(value);
    }
    at += 5 + length;
  }
  return values;
};

const PHOTOSHOP = "Photoshop 3.0\0";
const RESOURCE = "8BIM";
const IPTC_RESOURCE = 0x0404;

/** @returns the IPTC data in image resources (Adobe Photoshop File Formats Specification), or the data itself */
export const iimOf = (bytes: Buffer): Buffer => {
  const first = bytes.toString("latin1", 0, PHOTOSHOP.length) === PHOTOSHOP ? PHOTOSHOP.length : 0;
  for (let at = first; at + 12 <= bytes.length && bytes.toString("latin1", at, at + 4) === RESOURCE; ) {
    const nameBytes = (((bytes[at + 6] ?? 0) + 2) >> 1) << 1;
    const start = at + 6 + nameBytes + 4;
    const length = start > bytes.length ? 0 : bytes.readUInt32BE(start - 4);
    if (bytes.readUInt16BE(at + 4) === IPTC_RESOURCE) {
      return bytes.subarray(start, start + length);
    }
    at = start + length + (length % 2);
  }
  return bytes;
};

/** @param bytes IPTC-IIM data, or Photoshop's image resources with it */
export const hasIptcLocation = (bytes: Buffer): boolean => placesIn(iimOf(bytes)).length > 0;

/** Replaces the names of places by spaces in place, so that the length stays the same. */
export const removeIptcLocation = (bytes: Buffer): void => {
  for (const value of placesIn(iimOf(bytes))) {
    value.fill(SPACE);
  }
};
