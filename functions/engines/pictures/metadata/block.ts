/** Where a file has metadata: the TIFF structure of EXIF, XMP, or IPTC. */
export interface Block {
  readonly kind: "exif" | "xmp" | "iptc";
  readonly start: number;
  readonly end: number;
  /** PNG: the position of its chunk, which is replaced. */
  readonly chunkAt?: number;
  /** Whether it is compressed by zlib. */
  readonly isPacked?: boolean;
}

/** Reads a part of the file: as many of the bytes as exist. */
export type Read = (at: number, length: number) => Buffer;
