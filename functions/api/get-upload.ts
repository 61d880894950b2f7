import type { Context } from "../domain/ports.ts";
import { type Upload, uploadView } from "../domain/uploads.ts";
import { http, type Operation } from "./http.ts";
import { ownUpload } from "./own-upload.ts";
import { type ApiRequest, param } from "./request.ts";
import { transferOf } from "./transfer.ts";
import { waitMilliseconds } from "./wait.ts";

/** Tells how far an upload is; while its bytes are still to be sent, how, and which parts are here. */
export const getUpload: Operation = (context) => async (request) => {
  const upload = await whenEnded(context, request, await ownUpload(context, request, param(request, "id")));
  return { status: 200, body: uploadView(upload, context.routes, await transferOf(context, request, upload)) };
};

export const handler = http("getUpload", getUpload);

/** @returns the upload as it is when it has ended, or when the time that the client would wait is over */
export const whenEnded = async (context: Context, request: ApiRequest<unknown>, upload: Upload): Promise<Upload> => {
  const end = context.clock() + waitMilliseconds(request);
  let current = upload;
  for (let left = end - context.clock(); left > 0 && current.status === "pending"; left = end - context.clock()) {
    // Listened for before it is read, so that a change in between is not slept through.
    const changed = context.notices.changed(upload.id, left);
    current = (await context.uploads.getUpload(upload.id)) ?? current;
    if (current.status === "pending") {
      await changed;
    }
  }
  return (await context.uploads.getUpload(upload.id)) ?? current;
};
