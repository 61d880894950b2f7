import { inputError } from "./errors.ts";

/** Bytes, in any shape that a platform has for them. */
export type Content = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file that the service fetches by itself; `headers` are sent along. */
export interface RemoteFile {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
}

/** Bytes with a name, which helps where the format cannot be told from the bytes. */
export interface NamedContent {
  readonly content: Content;
  readonly name: string;
}

/** A file that the service has already: what `upload` answered. It is not sent, and not counted, again. */
export interface UploadedFile {
  readonly uploadId: string;
}

/** What can be converted everywhere. A string is an address that starts with http: or https:. */
export type WebInput = Content | NamedContent | RemoteFile | UploadedFile | URL | string;

/** An input that is ready to be sent, as often as need be. */
export type OpenedInput =
  | { readonly kind: "remote"; readonly file: RemoteFile }
  | { readonly kind: "uploaded"; readonly uploadId: string }
  | {
      readonly kind: "bytes";
      readonly name: string;
      readonly blob: Blob;
      /** Frees what was taken for it. */
      release?(): Promise<void>;
    };

const NAME_DEFAULT = "file";

/** Takes what a browser has. A stream is collected first: only what can be read twice can be sent twice. */
export const openWebInput = async (input: WebInput): Promise<OpenedInput> => {
  const remote = remoteOf(input);
  if (remote !== undefined) {
    return { kind: "remote", file: remote };
  }
  const uploaded = uploadedOf(input);
  if (uploaded !== undefined) {
    return { kind: "uploaded", uploadId: uploaded.uploadId };
  }
  const { content, name } = namedContent(input);
  if (content === undefined) {
    throw inputError(`An input is a Blob, bytes, a stream or an address, not ${describe(input)}.`);
  }
  const blob = isStream(content) ? await collect(content) : blobOf(content);
  return { kind: "bytes", name, blob };
};

/** @returns the input as a file that the service is to fetch; undefined for others */
export const remoteOf = (input: unknown): RemoteFile | undefined => {
  if (input instanceof URL || typeof input === "string") {
    return /^https?:/i.test(String(input)) ? { url: input } : undefined;
  }
  const fits = typeof input === "object" && input !== null && "url" in input;
  return fits && (typeof input.url === "string" || input.url instanceof URL) ? { ...input, url: input.url } : undefined;
};

/** @returns the input as a file that is uploaded already; undefined for others */
const uploadedOf = (input: unknown): UploadedFile | undefined =>
  typeof input === "object" && input !== null && "uploadId" in input && typeof input.uploadId === "string"
    ? { uploadId: input.uploadId }
    : undefined;

/** @returns the bytes of an input and their name; no content for what has none */
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

/** A copy: what the caller does to the bytes afterwards is not sent. */
const blobOf = (content: Blob | Uint8Array): Blob =>
  content instanceof Blob ? content : new Blob([Uint8Array.from(content)]);

/** @returns the chunks of a stream, also where the platform's streams cannot be iterated */
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
