import { uprightExif } from "../files/exif.ts";

/** Metadata found by a decoder. */
export interface Metadata {
  /** With or without the `Exif\0\0` prefix before its TIFF structure. */
  readonly exif: Buffer | undefined;
  readonly xmp: Buffer | undefined;
}

const APP1 = 0xe1;
const EXIF = "Exif\0\0";
const XMP = "http://ns.adobe.com/xap/1.0/\0";
const SEGMENT_BYTES_MAX = 65_533;

/**
 * @returns the JPEG with its EXIF and XMP replaced (EXIF 2.32, 4.7.2; XMP part 3, 1.1.3), and the orientation reset;
 * data too large for a segment is omitted
 */
export const withMetadata = (jpeg: Buffer, { exif, xmp }: Metadata): Buffer => {
  const segments: Buffer[] = [];
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff && isApplication(jpeg[at + 1])) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const name = jpeg.toString("latin1", at + 4, at + 4 + XMP.length);
    if (jpeg[at + 1] !== APP1 || !(name.startsWith(EXIF) || name === XMP)) {
      segments.push(jpeg.subarray(at, end));
    }
    at = end;
  }
  const added = [
    ...(exif === undefined ? [] : segment(EXIF, uprightExif(exif))),
    ...(xmp === undefined ? [] : segment(XMP, xmp)),
  ];
  const jfif = segments.filter((bytes) => bytes[1] === 0xe0);
  const rest = segments.filter((bytes) => bytes[1] !== 0xe0);
  return Buffer.concat([jpeg.subarray(0, 2), ...jfif, ...added, ...rest, jpeg.subarray(at)]);
};

const isApplication = (marker = 0): boolean => marker >= 0xe0 && marker <= 0xef;

const segment = (name: string, bytes: Uint8Array): Buffer[] => {
  const length = 2 + name.length + bytes.length;
  if (length > SEGMENT_BYTES_MAX) {
    return [];
  }
  return [Buffer.from([0xff, APP1, length >> 8, length & 0xff]), Buffer.from(name, "latin1"), Buffer.from(bytes)];
};
