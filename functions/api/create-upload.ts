import { RequestError } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { filesExpireAt } from "../domain/jobs.ts";
import { SINGLE_PUT_BYTES_MAX, TEST_UPLOAD_BYTES_MAX, UPLOAD_PART_BYTES } from "../domain/limits.ts";
import { uploadMeasured } from "../domain/measured.ts";
import type { Context } from "../domain/ports.ts";
import { safeFilename, type Upload, uploadKey, uploadView } from "../domain/uploads.ts";
import { checkForcedRefusal } from "./forced.ts";
import { http, type Operation } from "./http.ts";
import { checkReplay, idempotencyOf, onceAtATime } from "./idempotency.ts";
import { isJson, jsonBody } from "./middleware/read-json.ts";
import { ownUpload } from "./own-upload.ts";
import { receiveFile } from "./receive-file.ts";
import { type Answer, type ApiRequest, quotaRefused } from "./request.ts";
import { transferOf } from "./transfer.ts";
import { uploadRequestFor } from "./upload-request.ts";
import { checkVisitorsFile, holdVisitor } from "./visitors.ts";

/** Takes a file, or says how one is to be sent, or has one fetched; tells its format from its bytes, and what it can become. */
export const createUpload: Operation = (context) => (request) =>
  onceAtATime(context, request, { operation: "createUpload", work: () => inRoom(context, request) });

export const handler = http("createUpload", createUpload);

/**
 * A body that does not say how long it is finds out on the way whether there is room. One that says that it is too long is
 * told so, and not to come back.
 */
const inRoom = async (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const bytes = Math.min(Number(request.headers["content-length"]) || 0, context.uploadBytesMax);
  const giveBack = context.admission?.file(request.accountId, bytes);
  try {
    return await create(context, request);
  } finally {
    giveBack?.();
  }
};

const create = async (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const { claim } = request;
  await holdVisitor(context, request);
  const { upload, content } = isJson(request) ? await announced(context, request) : await sent(context, request);
  const idempotency = idempotencyOf(request, "createUpload", content);
  try {
    const creation = await context.uploads.createUpload(upload, claim, idempotency);
    if (creation.outcome === "quota_exceeded") {
      throw quotaRefused(request);
    }
    if (creation.outcome === "replayed") {
      checkReplay(creation, idempotency);
      await discard(context, upload);
      const first = await ownUpload(context, request, creation.id);
      // The first request may have broken off before it asked.
      await askForImport(context, first);
      const answer = await answerOf(context, request, first);
      return { ...answer, headers: { "idempotent-replayed": "true" } };
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

const askForImport = async ({ tasks }: Context, upload: Upload): Promise<void> => {
  if (upload.status === "pending" && upload.source.kind === "fetched") {
    await tasks.importUpload(upload.id);
  }
};

/** An upload that is to be recorded, and what a repeated request must have in common with the first. */
interface NewUpload {
  readonly upload: Upload;
  readonly content: string;
}

const sent = async (context: Context, request: ApiRequest<unknown>): Promise<NewUpload> => {
  const base = baseOf(context, request);
  const { filename: name, bytes, sha256, format } = await receiveFile(context, request, base.id);
  return {
    upload: { ...base, filename: name, status: "ready", bytes, sha256, format },
    content: JSON.stringify([name, bytes, sha256]),
  };
};

const announced = async (context: Context, request: ApiRequest<unknown>): Promise<NewUpload> => {
  const body = await jsonBody(request, uploadRequestFor);
  checkForcedRefusal(request, body.filename ?? "");
  if (request.isTest && "size" in body && body.size > TEST_UPLOAD_BYTES_MAX) {
    throw new RequestError("payload_too_large", `A test key takes files of at most ${TEST_UPLOAD_BYTES_MAX} bytes.`);
  }
  checkVisitorsFile(request, body);
  const base = baseOf(context, request);
  const content = JSON.stringify(body);
  if ("url" in body) {
    const name = safeFilename(body.filename ?? nameIn(body.url));
    const source = { kind: "fetched", url: body.url, headers: body.headers ?? {} } as const;
    return { upload: { ...base, filename: name, status: "pending", source }, content };
  }
  // Nothing is kept free for a file that may come within a day, or never; its bytes are looked at again when they come.
  context.admission?.file(request.accountId, body.size)();
  const source = {
    kind: "sent",
    bytes: body.size,
    ...(body.sha256 !== undefined && { sha256: body.sha256 }),
    ...(body.size > SINGLE_PUT_BYTES_MAX && {
      parts: { bytes: UPLOAD_PART_BYTES, transfer: await context.files.beginParts(base.key) },
    }),
  } as const;
  return { upload: { ...base, filename: safeFilename(body.filename), status: "pending", source }, content };
};

const baseOf = (context: Context, { accountId, now }: ApiRequest<unknown>) => {
  const id = newId("upload", now, context.random);
  return { id, accountId, key: uploadKey(id), createdAt: now, expiresAt: filesExpireAt(now) };
};

/** @returns the name of the file that a URL ends with */
const nameIn = (url: string): string => {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
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
