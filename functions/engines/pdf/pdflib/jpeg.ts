/** The JPEG header fields (ITU-T T.81, annex B) that a PDF needs. */
export interface JpegHeader {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Whether a PDF can embed it unchanged: 8 bits, baseline or progressive, Huffman coded and complete. */
  readonly embeddable: boolean;
  /** Whether an Adobe marker is present, which means that four components are inverted CMYK. */
  readonly adobe: boolean;
}

const START_OF_SCAN = 0xda;
const ADOBE = 0xee;
/** Baseline, extended and progressive, each Huffman coded. */
const HUFFMAN_FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** `C4`, `C8` and `CC` are not frame markers. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** @returns the header; undefined if it cannot be parsed */
export const readJpeg = (bytes: Buffer): JpegHeader | undefined => {
  let frame: Omit<JpegHeader, "adobe"> | undefined;
  let adobe = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) {
      return undefined;
    }
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (isFrame(marker) && at + 10 <= bytes.length) {
      frame = frameAt(bytes, at, marker);
    }
    adobe ||= marker === ADOBE && bytes.toString("latin1", at + 4, at + 9) === "Adobe";
    at += 2 + length;
    if (marker === START_OF_SCAN) {
      return frame && { ...frame, adobe, embeddable: frame.embeddable && endsIn(bytes, at) };
    }
  }
  return undefined;
};

const frameAt = (bytes: Buffer, at: number, marker: number) => ({
  height: bytes.readUInt16BE(at + 5),
  width: bytes.readUInt16BE(at + 7),
  components: bytes[at + 9] ?? 0,
  embeddable: HUFFMAN_FRAMES.includes(marker) && bytes[at + 4] === 8,
});

/** Whether the end marker follows. Cameras append more pictures and videos after it. */
const endsIn = (bytes: Buffer, from: number): boolean => bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) >= from;

/** EXIF and XMP, profiles and lists of appended pictures, Photoshop's resources, comments: a PDF uses none of them. */
const UNUSED: readonly number[] = [0xe1, 0xe2, 0xed, 0xfe];
const END = 0xd9;

/** @returns a JPEG that {@link readJpeg} calls embeddable, without its metadata, and without what follows its end */
export const withoutMetadata = (bytes: Buffer): Buffer => {
  const parts = [bytes.subarray(0, 2)];
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    const end = marker === 0xff ? at + 1 : at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === START_OF_SCAN) {
      parts.push(bytes.subarray(at, endOfScans(bytes, end)));
      break;
    }
    if (!UNUSED.includes(marker)) {
      parts.push(bytes.subarray(at, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
};

/** @returns the position after the end marker; in compressed data, zeros and restart markers follow the byte FF */
const endOfScans = (bytes: Buffer, start: number): number => {
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === END) {
      return at + 2;
    }
    const isData = marker === 0 || (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
    at += marker === 0xff ? 1 : isData || at + 4 > bytes.length ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return bytes.length;
};
