import { newId } from "../../domain/ids.ts";
import { filesExpireAt } from "../../domain/jobs/job.ts";
import { uploadMeasured } from "../../domain/measurements.ts";
import type { Context, Replay } from "../../domain/ports.ts";
import { type Upload, uploadKey, uploadView } from "../../domain/uploads/upload.ts";
import { checkReplay, earlierUse, idempotencyOf } from "../middleware/idempotency.ts";
import { type Answer, type ApiRequest, isRefused, quotaRefused } from "../request.ts";
import { requireUpload } from "./require-upload.ts";
import { transferOf } from "./transfer.ts";

/** @returns the fields that every new upload has */
export const newUpload = (context: Context, { accountId, now }: ApiRequest<unknown>) => {
  const id = newId("upload", now, context.random);
  return { id, accountId, key: uploadKey(id), createdAt: now, expiresAt: filesExpireAt(now) };
};

/**
 * Records an upload, its idempotency record and the metered request in one transaction. The stored file is discarded
 * when the upload is not recorded or repeats an earlier one.
 *
 * @param content what a repeated request must have in common with the first
 * @throws RequestError `quota_exceeded`, `idempotency_mismatch`
 */
export const recordUpload = async (
  context: Context,
  request: ApiRequest<unknown>,
  { upload, content }: { readonly upload: Upload; readonly content: string },
): Promise<Answer> => {
  const idempotency = idempotencyOf(request, "createUpload", content);
  try {
    const creation = await context.uploads.createUpload(upload, request.claim, idempotency);
    if (isRefused(creation)) {
      throw quotaRefused(request, creation);
    }
    if (creation.outcome === "replayed") {
      const answer = await repeatUpload(context, request, { earlier: creation, content });
      await discard(context, upload);
      return answer;
    }
  } catch (error) {
    await discardUnrecorded(context, upload);
    throw error;
  }
  if (upload.status === "ready") {
    context.metrics.record(uploadMeasured(upload.bytes));
  }
  return answerOf(context, request, upload);
};

/**
 * @param refusal why there is no space for the upload
 * @returns the earlier use of the request's Idempotency-Key, for which no space is needed
 * @throws the refusal, when there is none
 */
export const earlierUpload = async (
  context: Context,
  request: ApiRequest<unknown>,
  refusal: unknown,
): Promise<Replay> => {
  const earlier = await earlierUse(context.uploads, request, "createUpload");
  if (earlier === undefined) {
    throw refusal;
  }
  return earlier;
};

/**
 * Returns the upload of the first request, which may have been interrupted before it queued the import.
 *
 * @throws RequestError `idempotency_mismatch`; `expired`, `not_found` when the upload is gone
 */
export const repeatUpload = async (
  context: Context,
  request: ApiRequest<unknown>,
  { earlier, content }: { readonly earlier: Replay; readonly content: string },
): Promise<Answer> => {
  checkReplay(earlier, idempotencyOf(request, "createUpload", content));
  const first = await requireUpload(context, request, earlier.id);
  return { ...(await answerOf(context, request, first)), headers: { "idempotent-replayed": "true" } };
};

const answerOf = async (context: Context, request: ApiRequest<unknown>, upload: Upload): Promise<Answer> => {
  if (upload.status === "pending" && upload.source.kind === "fetched") {
    await context.tasks.importUpload(upload);
  }
  return { status: 201, body: uploadView(upload, context.routes, await transferOf(context, request, upload)) };
};

/** A write whose response was lost may have succeeded. Then a client that retries needs the file. */
const discardUnrecorded = async (context: Context, upload: Upload): Promise<void> => {
  if ((await context.uploads.getUpload(upload.id)) === undefined) {
    await discard(context, upload);
  }
};

const discard = async (context: Context, upload: Upload): Promise<void> => {
  if (upload.status === "ready") {
    await context.files.remove([upload.key]);
    return;
  }
  if (upload.status === "pending" && upload.source.kind === "sent" && upload.source.parts !== undefined) {
    await context.files.abortParts(upload.key, upload.source.parts.transfer);
  }
};
