import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { timestamp } from "../../domain/times.ts";
import type { ReadyUpload, Upload } from "../../domain/uploads/upload.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the account's upload with the id
 * @throws RequestError `not_found` (also for uploads of other accounts), `expired`
 */
export const requireUpload = async (
  context: Context,
  { accountId, now }: ApiRequest<unknown>,
  id: string,
): Promise<Upload> => {
  const upload = await context.uploads.getUpload(id);
  if (upload === undefined || upload.accountId !== accountId) {
    throw new RequestError("not_found", `Upload ${id.slice(0, 64)} not found.`);
  }
  if (upload.expiresAt <= now) {
    throw new RequestError("expired", `Upload ${upload.id} expired at ${timestamp(upload.expiresAt)}.`);
  }
  return upload;
};

/**
 * @returns the account's upload with the ID, if its file was received
 * @throws RequestError like {@link requireUpload}; `upload_incomplete` when the file has not been received;
 * `upload_failed` when it never will be
 */
export const readyUpload = async (context: Context, request: ApiRequest<unknown>, id: string): Promise<ReadyUpload> => {
  const upload = await requireUpload(context, request, id);
  if (upload.status === "ready") {
    return upload;
  }
  if (upload.status === "failed") {
    throw new RequestError("upload_failed", `Upload ${id} failed: ${upload.error.detail} Upload the file again.`);
  }
  throw new RequestError("upload_incomplete", `Upload ${id} is not complete.`);
};
