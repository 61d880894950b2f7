import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import { timestamp } from "../domain/times.ts";
import type { ReadyUpload, Upload } from "../domain/uploads.ts";
import type { ApiRequest } from "./request.ts";

/**
 * @returns the account's upload with the id
 * @throws RequestError `not_found` (also for one of another account), `expired`
 */
export const ownUpload = async (
  context: Context,
  { accountId, now }: ApiRequest<unknown>,
  id: string,
): Promise<Upload> => {
  const upload = await context.uploads.getUpload(id);
  if (upload === undefined || upload.accountId !== accountId) {
    throw new RequestError("not_found", `There is no upload ${id.slice(0, 64)}.`);
  }
  if (upload.expiresAt <= now) {
    throw new RequestError("expired", `The upload ${upload.id} expired at ${timestamp(upload.expiresAt)}.`);
  }
  return upload;
};

/**
 * @returns the account's upload with the id, whose file is here
 * @throws RequestError as {@link ownUpload} does; `upload_incomplete` while the file is still to come, or when it never came
 */
export const readyUpload = async (context: Context, request: ApiRequest<unknown>, id: string): Promise<ReadyUpload> => {
  const upload = await ownUpload(context, request, id);
  if (upload.status === "ready") {
    return upload;
  }
  const why = upload.status === "failed" ? `failed: ${upload.error.detail}` : "is not complete yet.";
  throw new RequestError("upload_incomplete", `The upload ${id} ${why}`);
};
