import { createHash } from "node:crypto";
import { detectFormat } from "../domain/detect.ts";
import { RequestError } from "../domain/errors.ts";
import type { StoredFile } from "../domain/file-ports.ts";
import { DETECTION_BYTES, MULTIPART_FRAME_BYTES_MAX, TEST_UPLOAD_BYTES_MAX } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import { safeFilename, type UploadedFile, uploadKey } from "../domain/uploads.ts";
import { checkForcedRefusal } from "./forced.ts";
import { type IncomingFile, readFile } from "./multipart.ts";
import type { ApiRequest } from "./request.ts";
import { bytesMaxOf } from "./visitors.ts";

/** A file as it came in a multipart body, stored and recognised. */
export interface ReceivedFile extends UploadedFile {
  readonly filename: string;
}

/**
 * Stores the file of a multipart body while it streams by.
 *
 * @param id of the upload that it is to be; without one it is only measured
 * @throws RequestError `payload_too_large`, `malformed_multipart`, `invalid_request`, `unrecognised_format`,
 * `unsupported_media_type`; nothing is stored then
 */
export const receiveFile = async (
  context: Context,
  request: ApiRequest<unknown>,
  id?: string,
): Promise<ReceivedFile> => {
  const own = bytesMaxOf(request, context.uploadBytesMax);
  const bytesMax = request.isTest ? Math.min(TEST_UPLOAD_BYTES_MAX, own) : own;
  checkLength(request, bytesMax);
  const discard = () => context.files.remove(id === undefined ? [] : [uploadKey(id)]);
  const store: Store = (content) =>
    id === undefined ? measured(content, bytesMax) : context.files.storeStream(uploadKey(id), content, bytesMax);
  const received = await readFile(
    request,
    async (file) => {
      checkForcedRefusal(request, safeFilename(file.filename));
      return receive(store, file);
    },
    discard,
  );
  try {
    return recognised(received);
  } catch (error) {
    await discard();
    throw error;
  }
};

interface Received {
  readonly filename: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

type Store = (content: AsyncIterable<Uint8Array>) => Promise<StoredFile>;

/** @throws RequestError `payload_too_large` */
const measured = async (content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoredFile> => {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new RequestError("payload_too_large", `The file is larger than ${bytesMax} bytes, the most that fits.`);
    }
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest("hex") };
};

/** Stores the file while it streams by, and keeps its first and last bytes to tell the format from. */
const receive = async (store: Store, file: IncomingFile): Promise<Received> => {
  const head: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  const watch = async function* () {
    let seen = 0;
    for await (const chunk of file.content) {
      if (seen < DETECTION_BYTES) {
        head.push(chunk.subarray(0, DETECTION_BYTES - seen));
        seen += chunk.length;
      }
      tail = lastOf(tail, chunk);
      yield chunk;
    }
  };
  const stored = await store(watch());
  return { ...stored, filename: safeFilename(file.filename), head: Buffer.concat(head), tail: lastBytes(tail) };
};

/** @returns the chunks that hold the last bytes of all that came */
const lastOf = (chunks: readonly Uint8Array[], chunk: Uint8Array): Uint8Array[] => {
  const kept = [...chunks, chunk];
  let bytes = kept.reduce((sum, { length }) => sum + length, 0);
  while (bytes - (kept[0]?.length ?? 0) >= DETECTION_BYTES) {
    bytes -= kept.shift()?.length ?? 0;
  }
  return kept;
};

const lastBytes = (chunks: readonly Uint8Array[]): Uint8Array => Buffer.concat(chunks).subarray(-DETECTION_BYTES);

/** A body that says that it is too large is refused before it is read. */
const checkLength = (request: ApiRequest<unknown>, bytesMax: number): void => {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax + MULTIPART_FRAME_BYTES_MAX) {
    throw new RequestError("payload_too_large", `A file that is sent this way may have at most ${bytesMax} bytes.`);
  }
};

const recognised = ({ head, tail, ...received }: Received): ReceivedFile => {
  if (received.bytes === 0) {
    const detail = "The file is empty.";
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: "/file", code: "empty", detail }] });
  }
  const format = detectFormat(head, { tail, filename: received.filename });
  if (format === undefined) {
    throw new RequestError(
      "unrecognised_format",
      "The bytes of this file are of no format that is known here; GET /api/v1/formats lists those that are.",
    );
  }
  return { ...received, format };
};
