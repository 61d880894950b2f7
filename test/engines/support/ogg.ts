/** Ogg pages (RFC 3533), written by hand. */

const CHECKS = Array.from({ length: 256 }, (_, byte) => {
  let check = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) {
    check = (check << 1) ^ (check < 0 ? 0x04c11db7 : 0);
  }
  return check;
});

/** @returns a page with one packet of less than 255 bytes; flag 2 starts a stream, 4 ends one */
export const oggPage = (serial: number, flags: number, packet: Buffer): Buffer => {
  const page = Buffer.concat([Buffer.from("OggS\0"), Buffer.alloc(21), Buffer.from([1, packet.length]), packet]);
  page[5] = flags;
  page.writeUInt32LE(serial, 14);
  let check = 0;
  for (const byte of page) {
    check = (check << 8) ^ (CHECKS[((check >>> 24) ^ byte) & 255] ?? 0);
  }
  page.writeInt32LE(check, 22);
  return page;
};
