import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import { type PendingUpload, type SentSource, uploadView } from "../domain/uploads.ts";
import { whenEnded } from "./get-upload.ts";
import { http, type Operation } from "./http.ts";
import { ownUpload } from "./own-upload.ts";
import { param } from "./request.ts";
import { isStored, partsOf } from "./transfer.ts";

/**
 * Ends an upload whose bytes the client has sent to the file store: checks that all are there, and has them looked at.
 * It may be called again.
 */
export const completeUpload: Operation = (context) => async (request) => {
  const upload = await ownUpload(context, request, param(request, "id"));
  if (upload.status === "pending") {
    const source = sentSource(upload);
    if (source.completedAt === undefined) {
      await checkAllSent(context, upload, source);
      await context.uploads.markSent(upload.id, request.now);
    }
    await context.tasks.importUpload(upload.id);
  }
  const ended = await whenEnded(context, request, upload);
  const pending = ended.status === "pending";
  return {
    status: pending ? 202 : 200,
    ...(pending && { headers: { "retry-after": "1" } }),
    body: uploadView(ended, context.routes),
  };
};

export const handler = http("completeUpload", completeUpload);

const sentSource = ({ id, source }: PendingUpload): SentSource => {
  if (source.kind === "fetched") {
    throw new RequestError("upload_incomplete", `The upload ${id} is being fetched; it completes by itself.`);
  }
  return source;
};

/** @throws RequestError `upload_incomplete` that says what is missing */
const checkAllSent = async (context: Context, { id, key }: PendingUpload, source: SentSource): Promise<void> => {
  if (source.parts === undefined) {
    const bytes = await context.files.bytesOf(key);
    if (bytes !== source.bytes) {
      throw new RequestError(
        "upload_incomplete",
        `Of the upload ${id} ${bytes ?? 0} of ${source.bytes} bytes are here.`,
      );
    }
    return;
  }
  const stored = (await context.files.partsOf(key, source.parts.transfer)) ?? [];
  const missing = partsOf(source).filter((part) => !isStored(stored, part));
  if (missing.length > 0) {
    const numbers = missing.map(({ number }) => number);
    const shown = `${numbers.slice(0, 20).join(", ")}${numbers.length > 20 ? ", …" : ""}`;
    throw new RequestError("upload_incomplete", `Of the upload ${id} these parts are missing: ${shown}.`);
  }
};
