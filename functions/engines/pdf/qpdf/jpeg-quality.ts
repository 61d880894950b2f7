/** The sum of the example table for brightness (ITU-T T.81, annex K), which is that of quality 50. */
const EXAMPLE_SUM = 3_688;
const MARKER = 0xff;
const [QUANTIZATION, SCAN] = [0xdb, 0xda];

/**
 * @returns the quality of a JPEG on the scale of libjpeg, 1 to 100, from its quantization of brightness; undefined if it has
 * no table of 8 bits
 */
export const jpegQuality = (bytes: Uint8Array): number | undefined => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 4 < view.length && view[at] === MARKER && view[at + 1] !== SCAN; ) {
    const length = view.readUInt16BE(at + 2);
    // The first byte is the precision of the table and its number.
    if (view[at + 1] === QUANTIZATION && view[at + 4] === 0 && length >= 67) {
      return qualityOf(view.subarray(at + 5, at + 69).reduce((sum, value) => sum + value, 0));
    }
    at += 2 + length;
  }
  return undefined;
};

const qualityOf = (sum: number): number => {
  const percent = (sum * 100) / EXAMPLE_SUM;
  return Math.round(percent <= 100 ? (200 - percent) / 2 : 5_000 / percent);
};
