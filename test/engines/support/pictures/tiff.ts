import { picturePixels } from "./picture.ts";

/** The properties of a TIFF page. */
interface Page {
  readonly width: number;
  readonly height: number;
  /** Additional tags, all of type LONG. */
  readonly tags?: readonly (readonly [tag: number, value: number])[];
}

const SHORT = 3;
const LONG = 4;

/**
 * @returns a little-endian TIFF of uncompressed RGB pages (TIFF 6.0, section 6), which may differ in size; sharp cannot
 * write that. Each page shows the sample picture.
 */
export const tiffOf = (pages: readonly Page[]): Buffer => {
  const parts: Buffer[] = [Buffer.from("49492a0008000000", "hex")];
  let offset = 8;
  for (const [index, page] of pages.entries()) {
    const part = directory(page, offset, index === pages.length - 1);
    parts.push(part);
    offset += part.length;
  }
  return Buffer.concat(parts);
};

const directory = ({ width, height, tags = [] }: Page, offset: number, last: boolean): Buffer => {
  const pixels = picturePixels(width, height);
  const count = 9 + tags.length;
  const bitsAt = offset + 2 + count * 12 + 4;
  const pixelsAt = bitsAt + 6;
  const entries = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 3, bitsAt],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, pixelsAt],
    [277, SHORT, 1, 3],
    [278, LONG, 1, height],
    [279, LONG, 1, pixels.length],
    ...tags.map(([tag, value]) => [tag, LONG, 1, value]),
  ].toSorted(([first = 0], [second = 0]) => first - second);
  const head = Buffer.alloc(2 + count * 12 + 4 + 6);
  head.writeUInt16LE(count, 0);
  for (const [index, [tag = 0, type = 0, length = 0, value = 0]] of entries.entries()) {
    const at = 2 + index * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(length, at + 4);
    head.writeUInt32LE(value, at + 8);
  }
  const size = head.length + pixels.length;
  head.writeUInt32LE(last ? 0 : offset + size + (size % 2), 2 + count * 12);
  head.set([8, 0, 8, 0, 8, 0], bitsAt - offset);
  return Buffer.concat([head, pixels, Buffer.alloc(size % 2)]);
};
