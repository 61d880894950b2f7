import { createHash } from "node:crypto";
import { RequestError } from "../../domain/errors.ts";
import type { StoredFile } from "../../domain/file-ports.ts";
import type { FormatId } from "../../domain/formats/formats.ts";
import { FORM_FIELDS_BYTES_MAX, MULTIPART_FRAME_BYTES_MAX, TEST_UPLOAD_BYTES_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { type Declaration, formatOfFile } from "../../domain/uploads/file-format.ts";
import { safeFilename, type UploadedFile } from "../../domain/uploads/upload.ts";
import { checkEncoding, completeBody } from "../middleware/read-json.ts";
import { checkSimulatedRefusal } from "../middleware/simulated-errors.ts";
import type { ApiRequest } from "../request.ts";
import { bytesMaxOf } from "../sign-in/visitors.ts";
import { contentSample } from "./content-sample.ts";
import { type IncomingFile, type ReceivedForm, readForm } from "./multipart.ts";
import { declaredFormat } from "./source-format.ts";

/** A file from a request body, with its detected format. */
export interface ReceivedFile extends UploadedFile {
  readonly filename: string;
  /** The name of its field of the form, if that is not `file`. */
  readonly field?: string;
  /** `source_format` of the request. */
  readonly sourceFormat?: FormatId;
}

/** The destination of a received file. */
export interface Target {
  /** @throws RequestError `payload_too_large` */
  readonly store: (content: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<StoredFile>;
  /** Removes what was stored. */
  readonly discard: () => Promise<void>;
}

/** Stores the file in the file store. */
export const storedAs = ({ files }: Pick<Context, "files">, key: string): Target => ({
  store: (content, bytesMax) => files.storeStream(key, content, bytesMax),
  discard: () => files.remove([key]),
});

/** A destination whose file is recorded while it is written to the disk. */
export interface SoonTarget extends Target {
  /** Resolves when the file outlives a power failure. @throws RequestError `temporarily_unavailable` */
  readonly onDisk: () => Promise<void>;
}

/** Stores the file in the file store, and does not wait for its disk. */
export const storedSoonAs = (context: Pick<Context, "files">, key: string): SoonTarget => {
  const { files } = context;
  let onDisk = Promise.resolve();
  return {
    ...storedAs(context, key),
    store: async (content, bytesMax) => {
      const stored = await files.storeStreamSoon?.(key, content, bytesMax);
      onDisk = stored?.onDisk ?? onDisk;
      // A request that is refused meanwhile does not await it.
      onDisk.catch(() => {});
      return stored?.file ?? files.storeStream(key, content, bytesMax);
    },
    onDisk: () => onDisk,
  };
};

/** Measures the file without storing it. */
export const measuredOnly: Target = {
  store: (content, bytesMax) => measured(content, bytesMax, () => {}),
  discard: async () => {},
};

/** A destination in memory, for a file whose size is limited. */
export interface MemoryTarget extends Target {
  /** What has arrived. */
  readonly chunks: readonly Uint8Array[];
}

/** @param isHashed whether the hash is needed; otherwise it is empty */
export const keptInMemory = (isHashed: boolean): MemoryTarget => {
  const chunks: Uint8Array[] = [];
  return {
    store: async (content, bytesMax) => {
      const keep = (chunk: Uint8Array) => void chunks.push(chunk);
      return isHashed
        ? measured(content, bytesMax, keep)
        : { bytes: await countedBytes(content, bytesMax, keep), sha256: "" };
    },
    discard: async () => {},
    chunks,
  };
};

const measured = async (
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
  receive: (chunk: Uint8Array) => void,
): Promise<StoredFile> => {
  const hash = createHash("sha256");
  const bytes = await countedBytes(content, bytesMax, (chunk) => {
    hash.update(chunk);
    receive(chunk);
  });
  return { bytes, sha256: hash.digest("hex") };
};

const countedBytes = async (
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
  receive: (chunk: Uint8Array) => void,
): Promise<number> => {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new RequestError("payload_too_large", `The file is larger than the limit of ${bytesMax} bytes.`);
    }
    receive(chunk);
  }
  return bytes;
};

/** The files of a form, and its other fields. */
export type ReceivedFiles = ReceivedForm<ReceivedFile>;

/** How many files a form can have, and where each goes. */
interface Destination {
  readonly filesMax: number;
  /** Other fields that can have one file each. @default none */
  readonly fileFields?: ReadonlySet<string>;
  /** Called before each file is read. @throws RequestError when the file is not accepted */
  readonly next: () => Promise<Target>;
}

type Receiving = Pick<Context, "uploadBytesMax">;

/**
 * Streams the files of a multipart form to their destinations, and detects their formats. Together they can have as many
 * bytes as one. `source_format` declares the format of the files in the field `file`.
 *
 * @throws RequestError `payload_too_large`, `malformed_multipart`, `invalid_request`, `unrecognized_format`,
 * `source_format_mismatch`, `unsupported_media_type`; nothing remains stored then
 */
export const receiveForm = async (
  context: Receiving,
  request: ApiRequest<unknown>,
  { filesMax, fileFields, next }: Destination,
): Promise<ReceivedFiles> => {
  const bytesMax = limitOf(context, request);
  const bodyBytesMax =
    bytesMax + FORM_FIELDS_BYTES_MAX + (filesMax + (fileFields?.size ?? 0)) * MULTIPART_FRAME_BYTES_MAX;
  checkLength(request, bodyBytesMax, bytesMax);
  let left = bytesMax;
  const { files, fields } = await readForm(request, {
    filesMax,
    ...(fileFields && { fileFields }),
    bodyBytesMax,
    store: async (file) => {
      const received = await receiveOne(request, { ...file, bytesMax: left, target: await next() });
      left -= received.stored.bytes;
      return received;
    },
    discard: ({ target }) => target.discard(),
  });
  // The field may follow the files.
  const declared = fields.findLast(([name]) => name === "source_format")?.[1];
  return { files: await withFormats(files, declared), fields };
};

/**
 * Streams a body that is the file itself to its destination, and detects its format.
 *
 * @throws RequestError like {@link receiveForm}
 */
export const receiveBody = async (
  context: Receiving,
  request: ApiRequest<unknown>,
  { filename, target }: { readonly filename: string; readonly target: Target },
): Promise<readonly ReceivedFile[]> => {
  const bytesMax = limitOf(context, request);
  checkEncoding(request);
  checkLength(request, bytesMax, bytesMax);
  const mediaType = request.headers["content-type"] ?? "";
  const content = completeBody(request.stream());
  const file = await receiveOne(request, { filename, mediaType, content, bytesMax, target });
  return withFormats([file], request.query.source_format);
};

interface Incoming extends IncomingFile {
  readonly bytesMax: number;
  readonly target: Target;
}

/** A received file whose format is not known yet. */
interface Received {
  readonly stored: StoredFile & { readonly filename: string; readonly field?: string };
  readonly mediaType: string;
  readonly sample: ReturnType<typeof contentSample>;
  readonly target: Target;
}

const receiveOne = async (
  request: ApiRequest<unknown>,
  { field, filename: sent, mediaType, content, bytesMax, target }: Incoming,
): Promise<Received> => {
  const filename = safeFilename(sent);
  checkSimulatedRefusal(request, filename);
  const sample = contentSample();
  const stored = await target.store(sample.watch(content), bytesMax);
  return { stored: { ...stored, filename, ...(field !== undefined && { field }) }, mediaType, sample, target };
};

/** @param declared `source_format` of the request, if it has one; empty values are ignored */
const withFormats = async (files: readonly Received[], declared: string | undefined): Promise<ReceivedFile[]> => {
  try {
    const sourceFormat = declaredFormat(declared || undefined);
    return files.map(({ stored, mediaType, sample }) => {
      const own = stored.field === undefined && sourceFormat !== undefined ? { sourceFormat } : {};
      return { ...stored, format: formatOf(stored, sample, { sourceFormat: undefined, ...own, mediaType }), ...own };
    });
  } catch (error) {
    for (const { target } of files) {
      await target.discard();
    }
    throw error;
  }
};

const limitOf = ({ uploadBytesMax }: Receiving, request: ApiRequest<unknown>): number => {
  const bytesMax = bytesMaxOf(request, uploadBytesMax);
  return request.isTest ? Math.min(TEST_UPLOAD_BYTES_MAX, bytesMax) : bytesMax;
};

/** A body whose Content-Length is too large is rejected before it is read. */
const checkLength = (request: ApiRequest<unknown>, bodyBytesMax: number, bytesMax: number): void => {
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) {
    throw new RequestError("payload_too_large", `Files sent this way can have at most ${bytesMax} bytes.`);
  }
};

/** @throws RequestError `invalid_request` for an empty file, `unrecognized_format`, `source_format_mismatch` */
const formatOf = (
  { bytes, filename, field = "file" }: Received["stored"],
  sample: ReturnType<typeof contentSample>,
  declared: Declaration,
): FormatId => {
  if (bytes === 0) {
    const detail = "The file is empty.";
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: `/${field}`, code: "empty", detail }] });
  }
  return formatOfFile({ head: sample.head(), tail: sample.tail, filename, ...declared });
};
