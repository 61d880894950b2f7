/**
 * @returns the CMYK JPEG with a color profile that maps every ink combination to the same green. No printer works like
 * that, so only a reader that applies the profile sees green.
 */
export const withGreenProfile = (jpeg: Buffer): Buffer => {
  const segment = Buffer.concat([Buffer.from("ICC_PROFILE\0\u0001\u0001", "latin1"), greenProfile()]);
  const head = Buffer.from([0xff, 0xe2, 0, 0]);
  head.writeUInt16BE(segment.length + 2, 2);
  const SOI_BYTES = 2;
  return Buffer.concat([jpeg.subarray(0, SOI_BYTES), head, segment, jpeg.subarray(SOI_BYTES)]);
};

/** L* 60, a* −60, b* 50 as 8-bit table values. */
const GREEN = [153, 68, 178];

/** A printer profile with one table from CMYK to Lab (ICC.1:2001-04, 6.1 and 6.5.8). */
export const greenProfile = (): Buffer => {
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap((value) => [0, value, 0, 0]);
  const straight = Array.from({ length: 256 }, (_, index) => index);
  const [inks, channels, grid] = [4, 3, 2];
  const table = Buffer.from([
    ...Buffer.from("mft1\0\0\0\0", "latin1"),
    ...[inks, channels, grid, 0],
    ...identity,
    ...Array.from({ length: inks }, () => straight).flat(),
    ...Array.from({ length: grid ** inks }, () => GREEN).flat(),
    ...Array.from({ length: channels }, () => straight).flat(),
  ]);
  const [HEADER_BYTES, TAGS_BYTES] = [128, 16];
  const profile = Buffer.alloc(HEADER_BYTES + TAGS_BYTES);
  profile.writeUInt32BE(HEADER_BYTES + TAGS_BYTES + table.length, 0);
  profile.writeUInt32BE(0x02400000, 8);
  profile.write("prtrCMYKLab ", 12, "latin1");
  profile.write("acsp", 36, "latin1");
  profile.writeUInt32BE(1, HEADER_BYTES);
  profile.write("A2B0", HEADER_BYTES + 4, "latin1");
  profile.writeUInt32BE(HEADER_BYTES + TAGS_BYTES, HEADER_BYTES + 8);
  profile.writeUInt32BE(table.length, HEADER_BYTES + 12);
  return Buffer.concat([profile, table]);
};
