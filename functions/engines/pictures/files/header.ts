/** An image as described by its header. */
export interface PictureHeader {
  readonly kind: "png" | "jpg" | "gif" | "bmp" | "webp" | "svg";
  /** Pixels; 0 when the header does not contain the size. */
  readonly width: number;
  readonly height: number;
}

/**
 * @returns the type and size of an in-memory image, by its first bytes; undefined for types that documents and books do
 * not contain
 */
export const pictureHeader = (bytes: Uint8Array): PictureHeader | undefined => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = READERS.find(({ magic }) => magic.test(view.toString("latin1", 0, 16)));
  if (found === undefined) {
    return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/.test(
      view.toString("utf8", 0, 3_000),
    )
      ? { kind: "svg", width: 0, height: 0 }
      : undefined;
  }
  const [width, height] = view.length < 32 ? [0, 0] : found.size(view);
  return { kind: found.kind, width, height };
};

const READERS = [
  { kind: "png", magic: /^\x89PNG/, size: (view: Buffer) => [view.readUInt32BE(16), view.readUInt32BE(20)] },
  { kind: "gif", magic: /^GIF8/, size: (view: Buffer) => [view.readUInt16LE(6), view.readUInt16LE(8)] },
  { kind: "bmp", magic: /^BM/, size: (view: Buffer) => [view.readUInt32LE(18), Math.abs(view.readInt32LE(22))] },
  { kind: "webp", magic: /^RIFF....WEBP/s, size: () => [0, 0] },
  { kind: "jpg", magic: /^\xff\xd8\xff/, size: (view: Buffer) => sizeOfJpeg(view) },
] as const satisfies readonly {
  kind: PictureHeader["kind"];
  magic: RegExp;
  size: (view: Buffer) => readonly number[];
}[];

/** The size is in the frame header (ITU-T T.81, B.2.2); the segments before it are skipped. */
const sizeOfJpeg = (view: Buffer): readonly [number, number] => {
  let at = 2;
  while (at + 9 < view.length && view[at] === 0xff) {
    const marker = view[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [view.readUInt16BE(at + 7), view.readUInt16BE(at + 5)];
    }
    at += 2 + view.readUInt16BE(at + 2);
  }
  return [0, 0];
};

const MEDIA_TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  bmp: "image/bmp",
  webp: "image/webp",
  svg: "image/svg+xml",
} as const;

/** @returns the media type of an image type */
export const pictureMediaType = (kind: PictureHeader["kind"]): string => MEDIA_TYPES[kind];

/** @returns an in-memory image as a `data:` URI; undefined for types that documents and books do not contain */
export const dataUriOf = (bytes: Uint8Array): string | undefined => {
  const kind = pictureHeader(bytes)?.kind;
  return kind && `data:${MEDIA_TYPES[kind]};base64,${Buffer.from(bytes).toString("base64")}`;
};

/** @returns the bytes of a base64 `data:` URI */
export const bytesOfDataUri = (uri: string): Buffer => Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64");
