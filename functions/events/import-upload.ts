import { createHash } from "node:crypto";
import { context as deployedContext } from "#context";
import { type UploadErrorCode, uploadErrors } from "../domain/errors/upload-errors.ts";
import { RequestError } from "../domain/errors.ts";
import { openStorage } from "../domain/exports/storage.ts";
import type { StoredFile } from "../domain/file-ports.ts";
import { DETECTION_BYTES, UPLOAD_BYTES_MAX } from "../domain/limits.ts";
import { importMeasured } from "../domain/measurements.ts";
import type { Context } from "../domain/ports.ts";
import { formatOfFile } from "../domain/uploads/file-format.ts";
import type { FailedUpload, FetchedSource, PendingUpload, SentSource, UploadEnd } from "../domain/uploads/upload.ts";
import { logger } from "../logger.ts";
import { reachable } from "../outbound/addresses.ts";
import { DownloadError, download } from "../outbound/download.ts";
import { requestTo } from "../outbound/put-file.ts";
import { fairTaskHandler, type MessageOutcome } from "./queue.ts";

/**
 * Ends a pending upload: downloads its file, or joins the parts that the client has sent, and detects the format. It may
 * be called any number of times for the same upload, concurrently or after a crash: the file is stored atomically, and
 * the upload ends once.
 */
export const importUpload =
  (context: Context) =>
  async (id: string): Promise<MessageOutcome> => {
    const upload = await context.uploads.getUpload(id);
    if (upload === undefined) {
      // The message may arrive before the record exists. If it never exists, the message is dead-lettered.
      return "retry";
    }
    // The file of an expired upload is deleted, or will be.
    if (upload.status !== "pending" || upload.expiresAt <= context.clock()) {
      return "done";
    }
    const end = await endOf(context, upload);
    // Another attempt may have ended the upload in the meantime; then the file belongs to that attempt.
    if (await context.uploads.settle(id, end)) {
      context.metrics.record(importMeasured(upload, end, "input"));
      await tidied(context, upload, end);
    }
    return "done";
  };

const tidied = async ({ files }: Context, { id, accountId, key }: PendingUpload, end: UploadEnd): Promise<void> => {
  if (end.status === "failed") {
    logger.info("import ended without a file", { upload_id: id, account_id: accountId, code: end.error.code });
    await files.remove([key]);
  }
};

let importOne: ReturnType<typeof importUpload> | undefined;

export const handler = fairTaskHandler(deployedContext, (id) => {
  importOne ??= importUpload(deployedContext());
  return importOne(id);
});

const endOf = async (context: Context, upload: PendingUpload): Promise<UploadEnd> => {
  const { source } = upload;
  try {
    if (source.kind === "fetched") {
      const { file, mediaType } = await fetched(context, upload, source);
      return await recognized(context, { ...upload, source: { ...source, mediaType } }, file);
    }
    return await recognized(context, upload, await assembled(context, upload, source));
  } catch (error) {
    if (error instanceof DownloadError) {
      return failed(error.code, error.message);
    }
    if (error instanceof RequestError && isUploadCode(error.code)) {
      return failed(error.code, error.message);
    }
    throw error;
  }
};

const isUploadCode = (code: string): code is UploadErrorCode => Object.hasOwn(uploadErrors, code);

const failed = (code: FailedUpload["error"]["code"], detail: string): UploadEnd => ({
  status: "failed",
  error: { code, detail },
});

const fetched = async (
  context: Context,
  { key, accountId }: PendingUpload,
  source: FetchedSource,
): Promise<{ file: StoredFile; mediaType: string | undefined }> => {
  const reaches = reachable(context.importAllowed ?? []);
  const { url, headers } = await requestFor(context, accountId, source);
  const { content, mediaType } = await download({ url, headers, bytesMax: UPLOAD_BYTES_MAX, reaches });
  return { file: await context.files.storeStream(key, content, UPLOAD_BYTES_MAX), mediaType };
};

/** @returns the request for the file. That for an object is signed now, since it is valid for minutes only */
const requestFor = async (
  { storages, sealer, clock }: Context,
  accountId: string,
  { url, headers, object }: FetchedSource,
): Promise<Pick<FetchedSource, "headers" | "url">> => {
  if (object === undefined) {
    return { url, headers };
  }
  const storage = await storages.get(accountId, object.storage);
  if (storage === undefined) {
    throw new DownloadError("fetch_failed", `Storage ${object.storage} was deleted.`);
  }
  const request = requestTo({ ...openStorage(sealer, storage), key: object.key }, "GET", { now: clock() });
  return { url: request.url.href, headers: request.headers };
};

const assembled = async (context: Context, { key }: PendingUpload, source: SentSource): Promise<StoredFile> => {
  const stored = (await joined(context, key, source)) ?? (await measured(context, key));
  if (stored.bytes !== source.bytes) {
    throw new DownloadError("size_mismatch", `The file has ${stored.bytes} bytes, but ${source.bytes} were declared.`);
  }
  if (source.sha256 !== undefined && stored.sha256 !== source.sha256) {
    throw new DownloadError(
      "hash_mismatch",
      `The file has the SHA-256 ${stored.sha256}, but ${source.sha256} was declared.`,
    );
  }
  return stored;
};

/** @returns the properties of the file that were determined while its parts were joined */
const joined = async ({ files }: Context, key: string, { parts }: SentSource): Promise<StoredFile | undefined> => {
  const stored = parts && (await files.partsOf(key, parts.transfer));
  // If there are no parts, an earlier attempt joined them and was interrupted afterward.
  return parts && stored && files.joinParts(key, parts.transfer, stored);
};

const measured = async (context: Context, key: string): Promise<StoredFile> => {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of await present(context, key, 0, Number.MAX_SAFE_INTEGER)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
};

/** @throws RequestError `unrecognized_format`, `source_format_mismatch` */
const recognized = async (
  context: Context,
  { key, filename, source: { sourceFormat, mediaType } }: PendingUpload,
  file: StoredFile,
): Promise<UploadEnd> => {
  if (file.bytes === 0) {
    return failed("empty", "The file is empty.");
  }
  const head = await bytesOf(await present(context, key, 0, DETECTION_BYTES));
  const tail = await bytesOf(await present(context, key, Math.max(0, file.bytes - DETECTION_BYTES), file.bytes));
  const format = formatOfFile({ head, tail: () => tail, filename, sourceFormat, mediaType });
  return { status: "ready", ...file, format };
};

const present = async (context: Context, key: string, start: number, end: number) => {
  const content = await context.files.read(key, start, end);
  if (content === undefined) {
    throw new Error(`The file ${key} of a pending upload does not exist.`);
  }
  return content;
};

const bytesOf = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
