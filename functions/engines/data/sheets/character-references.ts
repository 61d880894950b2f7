/** Characters beyond the Basic Multilingual Plane, such as emoji, as decimal or hexadecimal references (XML 1.0, 4.1). */
const REFERENCE = /&#(?:x0{0,8}([\da-f]{5,6})|0{0,8}(\d{5,7}));/gi;

const PLANE = 0x1_00_00;
const LAST = 0x10_ff_ff;

/**
 * SheetJS keeps only 16 bits of a character reference, so that emoji of workbooks by openpyxl become other characters.
 *
 * @param xml a part in UTF-8 or ASCII
 * @returns the part with these characters instead of references to them
 */
export const withoutReferences = (xml: Buffer): Buffer => {
  if (!xml.includes("&#")) {
    return xml;
  }
  const plain = xml.toString("latin1").replace(REFERENCE, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isBeyond = code >= PLANE && code <= LAST;
    return isBeyond ? Buffer.from(String.fromCodePoint(code)).toString("latin1") : reference;
  });
  return Buffer.from(plain, "latin1");
};
