import { newId } from "../domain/ids.ts";
import { filesExpireAt } from "../domain/jobs.ts";
import { uploadMeasured } from "../domain/measured.ts";
import type { Context } from "../domain/ports.ts";
import { type Upload, uploadKey, uploadView } from "../domain/uploads.ts";
import { announcement, pendingUpload } from "./announced-upload.ts";
import { http, type Operation } from "./http.ts";
import { checkReplay, idempotencyOf, onceAtATime } from "./idempotency.ts";
import { isJson } from "./middleware/read-json.ts";
import { ownUpload } from "./own-upload.ts";
import { type ReceivedFile, receiveFile } from "./receive-file.ts";
import { repeatedUpload } from "./repeated-upload.ts";
import { type Answer, type ApiRequest, quotaRefused } from "./request.ts";
import { transferOf } from "./transfer.ts";
import type { JsonUploadRequest } from "./upload-request.ts";
import { holdVisitor } from "./visitors.ts";

/** Takes a file, or says how one is to be sent, or has one fetched; tells its format from its bytes, and what it can become. */
export const createUpload: Operation = (context) => (request) =>
  onceAtATime(context, request, { operation: "createUpload", work: () => received(context, request) });

export const handler = http("createUpload", createUpload);

/**
 * A body that does not say how long it is finds out on the way whether there is room. One that says that it is too long is
 * told so, and not to come back.
 */
const received = (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const bytes = Math.min(Number(request.headers["content-length"]) || 0, context.uploadBytesMax);
  const contentOf = async () =>
    isJson(request) ? announcedContent(await announcement(request)) : fileContent(await receiveFile(context, request));
  return inRoom(context, request, {
    bytes,
    contentOf,
    work: async () => {
      await holdVisitor(context, request);
      return isJson(request) ? announced(context, request) : sent(context, request);
    },
  });
};

interface Roomy {
  readonly bytes: number;
  /** Tells what the request asks for, without storing any of it. */
  readonly contentOf: () => Promise<string> | string;
  readonly work: () => Promise<Answer>;
}

/** Does work that needs so much room on the disk. Where there is none, a request that repeats an earlier one needs none. */
const inRoom = async (
  context: Context,
  request: ApiRequest<unknown>,
  { bytes, contentOf, work }: Roomy,
): Promise<Answer> => {
  let giveBack: (() => void) | undefined;
  try {
    giveBack = context.admission?.file(request.accountId, bytes);
  } catch (refusal) {
    return repetition(context, request, await repeatedUpload(context, request, { refusal, contentOf }));
  }
  try {
    return await work();
  } finally {
    giveBack?.();
  }
};

const sent = async (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const base = baseOf(context, request);
  const file = await receiveFile(context, request, base.id);
  return record(context, request, { upload: { ...base, ...file, status: "ready" }, content: fileContent(file) });
};

const announced = async (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const body = await announcement(request);
  const content = announcedContent(body);
  return inRoom(context, request, {
    // None is kept for a file that may come within a day, or never; its bytes are looked at again when they come.
    bytes: "size" in body ? body.size : 0,
    contentOf: () => content,
    work: async () =>
      record(context, request, { upload: await pendingUpload(context, baseOf(context, request), body), content }),
  });
};

/** An upload that is to be recorded, and what a repeated request must have in common with the first. */
interface NewUpload {
  readonly upload: Upload;
  readonly content: string;
}

const fileContent = ({ filename, bytes, sha256 }: ReceivedFile): string => JSON.stringify([filename, bytes, sha256]);

const announcedContent = (body: JsonUploadRequest): string => JSON.stringify(body);

const record = async (
  context: Context,
  request: ApiRequest<unknown>,
  { upload, content }: NewUpload,
): Promise<Answer> => {
  const idempotency = idempotencyOf(request, "createUpload", content);
  try {
    const creation = await context.uploads.createUpload(upload, request.claim, idempotency);
    if (creation.outcome === "quota_exceeded") {
      throw quotaRefused(request);
    }
    if (creation.outcome === "replayed") {
      checkReplay(creation, idempotency);
      await discard(context, upload);
      return await repetition(context, request, await ownUpload(context, request, creation.id));
    }
  } catch (error) {
    await discardUnrecorded(context, upload);
    throw error;
  }
  if (upload.status === "ready") {
    context.metrics.record(uploadMeasured(upload.bytes));
  }
  await askForImport(context, upload);
  return answerOf(context, request, upload);
};

/** Answers with the upload of the first request, which may have broken off before it asked for an import. */
const repetition = async (context: Context, request: ApiRequest<unknown>, first: Upload): Promise<Answer> => {
  await askForImport(context, first);
  return { ...(await answerOf(context, request, first)), headers: { "idempotent-replayed": "true" } };
};

const askForImport = async ({ tasks }: Context, upload: Upload): Promise<void> => {
  if (upload.status === "pending" && upload.source.kind === "fetched") {
    await tasks.importUpload(upload.id);
  }
};

const baseOf = (context: Context, { accountId, now }: ApiRequest<unknown>) => {
  const id = newId("upload", now, context.random);
  return { id, accountId, key: uploadKey(id), createdAt: now, expiresAt: filesExpireAt(now) };
};

/** A write whose answer was lost may have been done, and the file is needed then: by the client who asks again. */
const discardUnrecorded = async (context: Context, upload: Upload): Promise<void> => {
  if ((await context.uploads.getUpload(upload.id)) === undefined) {
    await discard(context, upload);
  }
};

const discard = async (context: Context, upload: Upload): Promise<void> => {
  if (upload.status === "ready") {
    await context.files.remove([upload.key]);
  } else if (upload.status === "pending" && upload.source.kind === "sent" && upload.source.parts !== undefined) {
    await context.files.abortParts(upload.key, upload.source.parts.transfer);
  }
};

const answerOf = async (context: Context, request: ApiRequest<unknown>, upload: Upload): Promise<Answer> => ({
  status: 201,
  body: uploadView(upload, context.routes, await transferOf(context, request, upload)),
});
