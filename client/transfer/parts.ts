import type { Upload } from "../api.ts";
import { atOnce } from "../at-once.ts";
import { AnyformError, inputError } from "../http/errors.ts";
import { type Service, WAIT_SECONDS } from "../http/request.ts";
import { bytesProgress, type OnProgress, watched } from "./progress.ts";
import type { Hasher } from "./sha256.ts";

/** Sends bytes directly to the file store, in one PUT or in numbered parts, and resumes interrupted uploads. */

/** Dependencies of an upload. */
export interface UploadContext {
  readonly service: Service;
  readonly hasher: () => Hasher;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** ID of an interrupted upload to resume. */
  readonly resume?: string | undefined;
  /** Format of the file. Default: detected. */
  readonly sourceFormat?: string | undefined;
}

type Transfer = NonNullable<Upload["upload"]>;

/** A part of the file and its URL. */
interface Piece {
  readonly offset: number;
  readonly size: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** More parts do not increase throughput, and each needs a connection. */
const PARTS_AT_ONCE = 4;
/** Rounds of sending the missing parts. Each round gets new URLs, which are valid for an hour. */
const ROUNDS_MAX = 10;
/** The URL has expired (403 from S3, 410 from a single-machine service), or parts are missing (409). */
const ROUND_STATUSES = new Set([403, 409, 410]);

/** @returns the upload once the service has all its bytes @throws AnyformError with the upload's ID */
export const sendBytes = async (context: UploadContext, begun: Upload, blob: Blob): Promise<Upload> => {
  if (begun.size !== blob.size) {
    throw inputError(
      `Cannot resume upload ${begun.upload_id}: it has ${begun.size} bytes, but this file has ${blob.size}.`,
    );
  }
  let current = begun;
  for (let round = 1; ; round += 1) {
    try {
      return await sendMissing(context, current, blob);
    } catch (error) {
      context.signal?.throwIfAborted();
      const again = error instanceof AnyformError && ROUND_STATUSES.has(error.status) && round < ROUNDS_MAX;
      if (!again) {
        throw error instanceof AnyformError ? withUpload(error, begun.upload_id) : error;
      }
      current = await context.service.json<Upload>({ to: `upload/${begun.upload_id}`, signal: context.signal });
      if (current.status !== "pending") {
        return current;
      }
    }
  }
};

const sendMissing = async (context: UploadContext, { upload_id, upload }: Upload, blob: Blob): Promise<Upload> => {
  const { service, onProgress, signal } = context;
  const missing = upload === undefined ? [] : missingPieces(upload, blob.size);
  let sent = blob.size - missing.reduce((sum, { size }) => sum + size, 0);
  const onBytes = (bytes: number): void => {
    sent += bytes;
    onProgress?.({ ...bytesProgress("upload", Math.min(sent, blob.size), blob.size), uploadId: upload_id });
  };
  onBytes(0);
  await atOnce(missing, { limit: PARTS_AT_ONCE, signal }, (piece, either) =>
    sendPiece({ ...context, signal: either }, piece, { blob, onBytes }),
  );
  return service.json<Upload>({
    method: "POST",
    to: `upload/${upload_id}/complete`,
    waitSeconds: WAIT_SECONDS,
    signal,
  });
};

const missingPieces = ({ parts, url, headers = {} }: Transfer, size: number): Piece[] => {
  if (parts !== undefined) {
    return parts.filter(({ received }) => !received);
  }
  return url === undefined ? [] : [{ offset: 0, size, url, headers }];
};

const sendPiece = async (
  { service, signal }: UploadContext,
  { offset, size, url, headers }: Piece,
  { blob, onBytes }: { readonly blob: Blob; readonly onBytes: (bytes: number) => void },
): Promise<void> => {
  const piece = blob.slice(offset, offset + size);
  let counted = 0;
  const count = (bytes: number): void => {
    counted += bytes;
    onBytes(bytes);
  };
  await service.done({
    method: "PUT",
    to: new URL(url),
    headers: sendable(headers),
    body: () => {
      // The bytes of a previous attempt are sent again.
      count(-counted);
      return watched(piece, count);
    },
    onSent: (bytes) => count(Math.min(bytes, size) - counted),
    bytes: size,
    signal,
  });
  count(size - counted);
};

/** The platform sets `content-length` itself and rejects an explicit header. */
const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length"));

const withUpload = (error: AnyformError, uploadId: string): AnyformError =>
  new AnyformError({ ...error, detail: error.detail, uploadId, cause: error });
