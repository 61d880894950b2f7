/** The seam of the file store: what every adapter of it promises, as one contract suite proves. */

/** A file as it arrived in the store. */
export interface StoredFile {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** How a signed URL answers. */
export interface Delivery {
  readonly filename: string;
  readonly mediaType: string;
  readonly expiresAt: number;
}

/** A request that puts bytes straight into the file store. */
export interface SignedPut {
  readonly url: string;
  /** Headers that the request must have, as they are. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A part of a file that the store has got. */
export interface StoredPart {
  readonly number: number;
  readonly bytes: number;
  readonly etag: string;
}

/** Files by key. A file is there whole or not at all. */
export interface FileStore {
  /**
   * Stores what the stream gives.
   * @throws RequestError `payload_too_large` when it gives more than `bytesMax`; nothing is stored then, nor when the
   * stream fails
   */
  storeStream(key: string, stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoredFile>;
  /** Stores a local file, which the caller must not use afterwards: it may have been moved. */
  storeFile(key: string, path: string, mediaType: string): Promise<StoredFile>;
  /** @returns the path of a local copy, which may be the file itself: read it, never write it. Undefined: not there. */
  fetch(key: string, folder: string): Promise<string | undefined>;
  /** @returns the bytes from `start` up to, not including, `end`, as a stream. Undefined: not there */
  read(key: string, start: number, end: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** @returns how many bytes the file has. Undefined: not there */
  bytesOf(key: string): Promise<number | undefined>;
  /** @returns how the client puts the whole file, of exactly so many bytes and this SHA-256, until `expiresAt` */
  signedPut(
    key: string,
    file: { readonly bytes: number; readonly sha256?: string; readonly expiresAt: number },
  ): Promise<SignedPut>;
  /** Begins a transfer in parts. @returns what the store calls it */
  beginParts(key: string): Promise<string>;
  /** @returns how the client puts one part, of exactly so many bytes; it may be put again, and the last one holds */
  signedPart(
    key: string,
    part: { readonly transfer: string; readonly number: number; readonly bytes: number; readonly expiresAt: number },
  ): Promise<SignedPut>;
  /** @returns the parts that are there, by number. Undefined: there is no such transfer, or it has ended */
  partsOf(key: string, transfer: string): Promise<readonly StoredPart[] | undefined>;
  /**
   * Makes the file of its parts, in the order of their numbers, and ends the transfer.
   * @returns what the file is, where the store has read it on the way
   */
  joinParts(key: string, transfer: string, parts: readonly StoredPart[]): Promise<StoredFile | undefined>;
  /** Ends the transfer and deletes its parts; what is not there is no error. */
  abortParts(key: string, transfer: string): Promise<void>;
  /** Deletes what is there; what is not is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** @returns a URL that gives the file without a key until it expires, with Range, ETag and the delivery's headers */
  signedUrl(key: string, delivery: Delivery): Promise<string>;
}
