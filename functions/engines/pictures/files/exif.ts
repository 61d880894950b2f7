const ORIENTATION = 0x0112;

/**
 * Sets the orientation in EXIF data to 1 after a decoder has rotated the pixels: libheif does so according to the
 * properties of a HEIC, and by ISO/IEC 23008-12 the EXIF tag has no effect. Otherwise the next step, or a viewer, would
 * rotate them again.
 *
 * @returns the TIFF structure of the EXIF data, without the six bytes that JPEG puts before it
 */
export const uprightExif = (exif: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(exif);
  const tiff = bytes.toString("latin1", 0, 6) === "Exif\0\0" ? bytes.subarray(6) : bytes;
  const little = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = tiff.length < 8 ? 0 : little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (short(at) === ORIENTATION && at + 12 <= tiff.length) {
      tiff.set(little ? [1, 0] : [0, 1], at + 8);
    }
  }
  return tiff;
};
