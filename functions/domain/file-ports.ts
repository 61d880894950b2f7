/** The port of the file store. One contract test suite verifies every adapter. */

/** A stored file. */
export interface StoredFile {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/**
 * When a small file counts as stored. `on_disk`: it outlives a power failure. `written`: it outlives the process. `later`: it is
 * written later, and is missing if the process ends before; readers of the file wait for it. A power failure can lose or
 * truncate the latter two within a minute.
 */
export type Stored = "later" | "on_disk" | "written";

/** The response of a signed URL. */
export interface Delivery {
  readonly filename: string;
  readonly mediaType: string;
  readonly expiresAt: number;
}

/** A request that sends bytes directly to the file store. */
export interface SignedPut {
  readonly url: string;
  /** Headers that the request must send unchanged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A part of a file that the store has received. */
export interface StoredPart {
  readonly number: number;
  readonly bytes: number;
  readonly etag: string;
}

/** Files by key. A file is either stored completely or not at all. */
export interface FileStore {
  /** Whether the gateway of the same process serves signed URLs, so that a response can contain a file of any size. */
  readonly servedByGateway?: true;
  /**
   * Stores the content of the stream.
   * @throws RequestError `payload_too_large` when it has more than `bytesMax` bytes; nothing is stored then, nor when
   * the stream fails
   */
  storeStream(key: string, stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoredFile>;
  /**
   * The same, for a store whose files have to be written to a disk: resolves when the file can be read.
   * @returns `onDisk` resolves when it outlives a power failure, and rejects as `storeStream` does. It must be awaited
   * before the file is confirmed to a client
   */
  storeStreamSoon?(
    key: string,
    stream: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<{ readonly file: StoredFile; readonly onDisk: Promise<void> }>;
  /** Stores a local file. The caller must not use it afterward, because it may have been moved. */
  storeFile(key: string, path: string, mediaType: string): Promise<StoredFile>;
  /** @returns the path of a local copy, which may be the file itself: never write to it. Undefined: not found */
  fetch(key: string, folder: string): Promise<string | undefined>;
  /** @returns the bytes from `start` to `end` (exclusive) as a stream. Undefined: not found */
  read(key: string, start: number, end: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** @returns the size of the file in bytes. Undefined: not found */
  bytesOf(key: string): Promise<number | undefined>;
  /** @returns the request to PUT the complete file, with exactly this size and SHA-256, until `expiresAt` */
  signedPut(
    key: string,
    file: { readonly bytes: number; readonly sha256?: string; readonly expiresAt: number },
  ): Promise<SignedPut>;
  /** Starts a transfer in parts. @returns the store's ID of the transfer */
  beginParts(key: string): Promise<string>;
  /** @returns the request to PUT one part with exactly this size. A part can be sent again; the last one counts */
  signedPart(
    key: string,
    part: { readonly transfer: string; readonly number: number; readonly bytes: number; readonly expiresAt: number },
  ): Promise<SignedPut>;
  /** @returns the received parts by number. Undefined: the transfer does not exist or has ended */
  partsOf(key: string, transfer: string): Promise<readonly StoredPart[] | undefined>;
  /**
   * Assembles the file from its parts, in the order of their numbers, and ends the transfer.
   * @returns the stored file, if the store has read it in the process
   */
  joinParts(key: string, transfer: string, parts: readonly StoredPart[]): Promise<StoredFile | undefined>;
  /** Ends the transfer and deletes its parts. Missing ones are not an error. */
  abortParts(key: string, transfer: string): Promise<void>;
  /** Deletes files. Missing ones are not an error. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * @returns a URL that serves the file without an API key until it expires, with Range, ETag and the delivery's
   * headers
   */
  signedUrl(key: string, delivery: Delivery): Promise<string>;
}
