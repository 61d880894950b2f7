import { detectFormat } from "../domain/detect.ts";
import { RequestError } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { filesExpireAt } from "../domain/jobs.ts";
import { DETECTION_BYTES, MULTIPART_FRAME_BYTES_MAX } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import { quotaExceeded } from "../domain/quotas.ts";
import { safeFilename, type Upload, uploadKey, uploadView } from "../domain/uploads.ts";
import { http, type Operation } from "./http.ts";
import { type IncomingFile, readFile } from "./multipart.ts";
import { type ApiRequest, claimOf } from "./request.ts";

/** Takes a file, tells its format from its bytes, and says what it can become. */
export const createUpload: Operation = (context) => async (request) => {
  const { now } = request;
  const claim = claimOf(request);
  checkLength(request, context.uploadBytesMax);
  const id = newId("upload", now, context.random);
  const discard = () => context.files.remove([uploadKey(id)]);
  const received = await readFile(request, (file) => receive(context, id, file), discard);
  try {
    const upload = uploadOf(received, { id, accountId: request.accountId, now });
    if ((await context.uploads.createUpload(upload, claim)) === "quota_exceeded") {
      throw quotaExceeded(claim, now);
    }
    return { status: 201, body: uploadView(upload, context.routes) };
  } catch (error) {
    await discard();
    throw error;
  }
};

export const handler = http("createUpload", createUpload);

interface Received {
  readonly filename: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** Stores the file while it streams by, and keeps its first and last bytes to tell the format from. */
const receive = async (context: Context, id: string, file: IncomingFile): Promise<Received> => {
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
  const stored = await context.files.storeStream(uploadKey(id), watch(), context.uploadBytesMax);
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
const checkLength = (request: ApiRequest, bytesMax: number): void => {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax + MULTIPART_FRAME_BYTES_MAX) {
    throw new RequestError("payload_too_large", `A file that is sent this way may have at most ${bytesMax} bytes.`);
  }
};

const uploadOf = (
  received: Received,
  { id, accountId, now }: { id: string; accountId: string; now: number },
): Upload => {
  const { filename, bytes, sha256, head, tail } = received;
  if (bytes === 0) {
    const detail = "The file is empty.";
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: "/file", code: "empty", detail }] });
  }
  const format = detectFormat(head, { tail, filename });
  if (format === undefined) {
    throw new RequestError(
      "unrecognised_format",
      "The bytes of this file are of no format that is known here; GET /api/v1/formats lists those that are.",
    );
  }
  const key = uploadKey(id);
  return { id, accountId, key, filename, bytes, sha256, format, createdAt: now, expiresAt: filesExpireAt(now) };
};
