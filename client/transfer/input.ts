import { inputError } from "../http/errors.ts";

/** Bytes, in any of the platform's representations. */
export type Content = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file that the service downloads; `headers` are sent with the request. */
export interface RemoteFile {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
}

/** An object of a saved storage of the account, which the service downloads. */
export interface StoredFile {
  readonly storage: string;
  readonly key: string;
  readonly name?: string | undefined;
}

/** Bytes with a file name, which helps if the format cannot be detected from the content. */
export interface NamedContent {
  readonly content: Content;
  readonly name: string;
}

/** A file that is already uploaded, by the ID from `upload`. It is not sent or counted again. */
export interface UploadedFile {
  readonly uploadId: string;
}

/** A web page that the service loads in a browser, for the targets pdf, png, jpg and webp. Not for `upload` and `merge`. */
export interface WebPage {
  readonly page: string | URL;
}

/** Inputs that all platforms support. A string is a URL that starts with http: or https:. */
export type WebInput = Content | NamedContent | RemoteFile | StoredFile | UploadedFile | WebPage | URL | string;

/** An input that can be sent, repeatedly if necessary. */
export type OpenedInput =
  | { readonly kind: "remote"; readonly file: RemoteFile | StoredFile }
  | { readonly kind: "uploaded"; readonly uploadId: string }
  | { readonly kind: "page"; readonly url: string }
  | {
      readonly kind: "bytes";
      readonly name: string;
      readonly blob: Blob;
      /** Frees the resources of the input. */
      release?(): Promise<void>;
    };

const NAME_DEFAULT = "file";

/** Opens an input in a browser. A stream is buffered first, since a retry has to read it again. */
export const openWebInput = async (input: WebInput): Promise<OpenedInput> => {
  const remote = remoteOf(input);
  if (remote !== undefined) {
    return { kind: "remote", file: remote };
  }
  const stored = storedOf(input);
  if (stored !== undefined) {
    return { kind: "remote", file: stored };
  }
  const uploaded = uploadedOf(input);
  if (uploaded !== undefined) {
    return { kind: "uploaded", uploadId: uploaded.uploadId };
  }
  const page = pageOf(input);
  if (page !== undefined) {
    return { kind: "page", url: page };
  }
  const { content, name } = namedContent(input);
  if (content === undefined) {
    throw inputError(`Invalid input ${describe(input)}: must be a Blob, bytes, a stream or a URL.`);
  }
  const blob = isStream(content) ? await collect(content) : blobOf(content);
  return { kind: "bytes", name, blob };
};

/** @returns the input as a file that the service downloads; undefined for other inputs */
export const remoteOf = (input: unknown): RemoteFile | undefined => {
  if (input instanceof URL || typeof input === "string") {
    return /^https?:/i.test(String(input)) ? { url: input } : undefined;
  }
  const fits = typeof input === "object" && input !== null && "url" in input;
  return fits && (typeof input.url === "string" || input.url instanceof URL) ? { ...input, url: input.url } : undefined;
};

/** @returns the input as an object of a storage; undefined for other inputs */
const storedOf = (input: unknown): StoredFile | undefined => {
  const fits = typeof input === "object" && input !== null && "storage" in input && "key" in input;
  return fits && typeof input.storage === "string" && typeof input.key === "string"
    ? { ...input, storage: input.storage, key: input.key }
    : undefined;
};

/** @returns the input as a file that is already uploaded; undefined for other inputs */
const uploadedOf = (input: unknown): UploadedFile | undefined =>
  typeof input === "object" && input !== null && "uploadId" in input && typeof input.uploadId === "string"
    ? { uploadId: input.uploadId }
    : undefined;

/** @returns the URL of an input that is a web page; undefined for other inputs */
const pageOf = (input: unknown): string | undefined => {
  const fits = typeof input === "object" && input !== null && "page" in input;
  return fits && (typeof input.page === "string" || input.page instanceof URL) ? String(input.page) : undefined;
};

/** @returns the bytes and name of an input; undefined content for an invalid input */
export const namedContent = (input: unknown): { content: Content | undefined; name: string } => {
  if (typeof input === "object" && input !== null && "content" in input && "name" in input) {
    return { content: contentOf(input.content), name: String(input.name) };
  }
  const name = input instanceof Blob && "name" in input ? String(input.name) : NAME_DEFAULT;
  return { content: contentOf(input), name: name || NAME_DEFAULT };
};

const contentOf = (value: unknown): Content | undefined =>
  value instanceof Blob || value instanceof Uint8Array || isStream(value) ? value : undefined;

export const isStream = (value: unknown): value is AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> =>
  value instanceof ReadableStream || (typeof value === "object" && value !== null && Symbol.asyncIterator in value);

/** Copies the bytes, so that later changes by the caller are not sent. */
const blobOf = (content: Blob | Uint8Array): Blob =>
  content instanceof Blob ? content : new Blob([Uint8Array.from(content)]);

/** @returns the chunks of a stream, also on platforms whose streams are not iterable */
export const chunksOf = async function* (
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!(stream instanceof ReadableStream)) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      yield chunk.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};

/** Browsers keep large Blobs on disk. */
const collect = async (stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<Blob> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunksOf(stream)) {
    chunks.push(Uint8Array.from(chunk));
  }
  return new Blob(chunks);
};

const describe = (input: unknown): string => (typeof input === "string" ? `"${input.slice(0, 100)}"` : typeof input);
