import { type FileHandle, open } from "node:fs/promises";
import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";

/** The size of an image as its header declares it. */
export interface DeclaredSize extends PictureSize {
  /** Color and alpha components, where a header can declare any number. @default at most 5 */
  readonly components?: number;
  /** Whether the header is followed by zeros only, where a decoder takes them for an image. @default false */
  readonly isEmpty?: boolean;
}

/** Bytes at the start of a file that are read; text headers with long comments are left to the decoder. */
const HEADER_BYTES = 65_536;

/**
 * Reads the declared size of an image without decoding it, with one read of {@link HEADER_BYTES} bytes.
 *
 * @returns undefined when the header is damaged, or has no size at a known position: the decoder reports that
 */
export const declaredSize = async (path: string, format: FormatId): Promise<DeclaredSize | undefined> => {
  const sizeOf = SIZES[format];
  if (sizeOf === undefined) {
    return undefined;
  }
  const file = await open(path);
  try {
    const size = sizeOf(await headOf(file));
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } finally {
    await file.close();
  }
};

/** @returns the start of the file, with zeros after its end */
const headOf = async (file: FileHandle): Promise<Buffer> => {
  const head = Buffer.alloc(HEADER_BYTES);
  await file.read(head, 0, HEADER_BYTES, 0);
  return head;
};

type SizeOf = (head: Buffer) => DeclaredSize | undefined;

/** Two adjacent numbers, big-endian or little-endian. */
const pairBe = (head: Buffer, at: number, bytes: 2 | 4): PictureSize => ({
  width: head.readUIntBE(at, bytes),
  height: head.readUIntBE(at + bytes, bytes),
});
const pairLe = (head: Buffer, at: number, bytes: 2 | 4): PictureSize => ({
  width: head.readUIntLE(at, bytes),
  height: head.readUIntLE(at + bytes, bytes),
});

/** A header of text, from which an expression extracts the width and the height. */
const written =
  (expression: RegExp): SizeOf =>
  (head) => {
    const { width, height } = expression.exec(head.toString("latin1"))?.groups ?? {};
    return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
  };

/** Numbers of Netpbm are separated by white space and comments (`pbm(5)`). */
const netpbm = written(
  /^P[1-6](?:\s|#[^\n]{0,1000}\n){1,100}(?<width>\d{1,10})(?:\s|#[^\n]{0,1000}\n){1,100}(?<height>\d{1,10})/,
);

/** The BITMAPINFOHEADER after the file header; the core header of OS/2 has 12 bytes. The height is negative from top. */
const CORE_HEADER_BYTES = 12;
const bitmapAt = (head: Buffer, at: number): PictureSize =>
  head.readUInt32LE(at) === CORE_HEADER_BYTES
    ? pairLe(head, at + 4, 2)
    : { width: Math.abs(head.readInt32LE(at + 4)), height: Math.abs(head.readInt32LE(at + 8)) };

/** SIZ marker segment (ISO/IEC 15444-1, A.5.1): the image is the reference grid without its offset. */
const SIZ = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
const codestreamAt = (head: Buffer, at: number): DeclaredSize | undefined => {
  if (at < 0 || at + 42 > head.length) {
    return undefined;
  }
  const [end, start] = [pairBe(head, at + 8, 4), pairBe(head, at + 16, 4)];
  const components = head.readUInt16BE(at + 40);
  return {
    width: end.width - start.width,
    height: end.height - start.height,
    components,
    isEmpty: isEmptyFrom(head, at),
  };
};

const [START_OF_DATA, END] = [Buffer.from([0xff, 0x93]), [0xff, 0xd9]];

/** Whether there are only zeros between the start of the first tile's data and the end marker. */
const isEmptyFrom = (head: Buffer, start: number): boolean => {
  const data = head.indexOf(START_OF_DATA, start);
  return data >= 0 && head.subarray(data + START_OF_DATA.length).every((byte) => byte === 0 || END.includes(byte));
};

/** The codestream of a JP2 may come after its metadata; decoders use its size, not that of the `ihdr` box. */
const codestreamIn = (head: Buffer): DeclaredSize | undefined => codestreamAt(head, head.indexOf(SIZ));

const JXL_BOX = Buffer.from("jxlc");
const JXL_PARTS = Buffer.from("jxlp");
const JXL_RATIOS = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const;

/** SizeHeader of ISO/IEC 18181-1, in a codestream or in its box; bits are read from the lowest on. */
const jxlSize = (head: Buffer): DeclaredSize | undefined => {
  const box = head.indexOf(JXL_BOX);
  const parts = head.indexOf(JXL_PARTS);
  const at = head[0] === 0xff ? 0 : box >= 0 ? box + 4 : parts >= 0 ? parts + 8 : -1;
  if (at < 0 || head[at] !== 0xff || head[at + 1] !== 0x0a) {
    return undefined;
  }
  const bits = bitsFrom(head, at + 2);
  const isSmall = bits(1) === 1;
  const side = (): number => (isSmall ? 8 * (bits(5) + 1) : bits([9, 13, 18, 30][bits(2)] ?? 30) + 1);
  const height = side();
  const ratio = JXL_RATIOS[bits(3) - 1];
  return { height, width: ratio === undefined ? side() : Math.floor((height * ratio[0]) / ratio[1]) };
};

const bitsFrom = (head: Buffer, start: number): ((count: number) => number) => {
  let at = start * 8;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, at += 1) {
      value += (((head[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** bit;
    }
    return value;
  };
};

/** Numbers of seven bits a byte, with the highest bit set in all bytes but the last (WAP-190, 4.3.1). */
const wbmpSize: SizeOf = (head) => {
  let at = 2;
  const next = (): number => {
    let value = 0;
    for (let count = 0; count < 5; count += 1, at += 1) {
      value = value * 128 + ((head[at] ?? 0) & 0x7f);
      if ((head[at] ?? 0) < 0x80) {
        break;
      }
    }
    at += 1;
    return value;
  };
  return { width: next(), height: next() };
};

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const ICONS_MAX = 100;

/** The largest image of an icon. The directory has one byte per side, so the sizes are in the images. */
const iconSize: SizeOf = (head) => {
  const count = Math.min(head.readUInt16LE(4), ICONS_MAX);
  const sizes = Array.from({ length: count }, (_, index) => {
    const at = head.readUInt32LE(6 + 16 * index + 12);
    if (at + 24 > head.length) {
      return { width: 0, height: 0 };
    }
    return head.subarray(at, at + 4).equals(PNG) ? pairBe(head, at + 16, 4) : halved(bitmapAt(head, at));
  });
  return sizes.reduce((best, size) => (size.width * size.height > best.width * best.height ? size : best), {
    width: 0,
    height: 0,
  });
};

/** The height includes the mask. */
const halved = ({ width, height }: PictureSize): PictureSize => ({ width, height: height / 2 });

const photoshopSize: SizeOf = (head) => ({ height: head.readUInt32BE(14), width: head.readUInt32BE(18) });

/** The number of columns and of rows, in any order. */
const miffSize: SizeOf = (head) => {
  const text = head.toString("latin1");
  const [, width] = /\bcolumns=(\d{1,10})/.exec(text) ?? [];
  const [, height] = /\brows=(\d{1,10})/.exec(text) ?? [];
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) };
};

const JXR_WIDTH = 0xbc80;
const JXR_HEIGHT = 0xbc81;
const JXR_ENTRIES_MAX = 100;

/** @returns the first directory of a JPEG XR: 32-bit values by tag, in little-endian numbers (ITU-T T.832, A.7) */
export const jxrValues = (head: Buffer): ReadonlyMap<number, number> => {
  const directory = head.length < 8 ? head.length : head.readUInt32LE(4);
  const count = directory + 2 > head.length ? 0 : Math.min(head.readUInt16LE(directory), JXR_ENTRIES_MAX);
  const values = new Map<number, number>();
  for (let at = directory + 2; at < directory + 2 + count * 12 && at + 12 <= head.length; at += 12) {
    values.set(head.readUInt16LE(at), head.readUInt32LE(at + 8));
  }
  return values;
};

const jxrSize: SizeOf = (head) => {
  const values = jxrValues(head);
  return { width: values.get(JXR_WIDTH) ?? 0, height: values.get(JXR_HEIGHT) ?? 0 };
};

const dpxSize: SizeOf = (head) => (head[0] === 0x53 ? pairBe(head, 772, 4) : pairLe(head, 772, 4));

/** The frame after the empty first part and the length (Inside Macintosh, appendix A). */
const pictSize: SizeOf = (head) => {
  const [top, left, bottom, right] = [514, 516, 518, 520].map((at) => head.readInt16BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return { width: right - left, height: bottom - top };
};

/** The position of the size in each format that ImageMagick reads; cameras' raw files are left to LibRaw. */
const SIZES: Partial<Record<FormatId, SizeOf>> = {
  bmp: (head) => bitmapAt(head, 14),
  jxl: jxlSize,
  jp2: codestreamIn,
  j2k: (head) => codestreamAt(head, 0),
  psd: photoshopSize,
  psb: photoshopSize,
  qoi: (head) => pairBe(head, 4, 4),
  ico: iconSize,
  cur: iconSize,
  icns: codestreamIn,
  tga: (head) => pairLe(head, 12, 2),
  dds: (head) => ({ height: head.readUInt32LE(12), width: head.readUInt32LE(16) }),
  pbm: netpbm,
  pgm: netpbm,
  ppm: netpbm,
  pam: written(/^P7\n[\s\S]{0,2000}?WIDTH (?<width>\d{1,10})\n[\s\S]{0,2000}?HEIGHT (?<height>\d{1,10})\n/),
  pcx: (head) => {
    const [first, last] = [pairLe(head, 4, 2), pairLe(head, 8, 2)];
    return { width: last.width - first.width + 1, height: last.height - first.height + 1 };
  },
  xbm: written(/#define\s+\S{1,200}width\s+(?<width>\d{1,10})\s+#define\s+\S{1,200}height\s+(?<height>\d{1,10})/),
  xpm: written(/"\s{0,20}(?<width>\d{1,10})\s{1,20}(?<height>\d{1,10})\s{1,20}\d{1,10}\s{1,20}\d{1,10}/),
  wbmp: wbmpSize,
  pict: pictSize,
  miff: miffSize,
  xcf: (head) => pairBe(head, 14, 4),
  sgi: (head) => pairBe(head, 6, 2),
  ras: (head) => pairBe(head, 4, 4),
  dpx: dpxSize,
  jxr: jxrSize,
  farbfeld: (head) => pairBe(head, 8, 4),
};
