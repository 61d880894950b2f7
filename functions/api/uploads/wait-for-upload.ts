import type { Context } from "../../domain/ports.ts";
import type { Upload } from "../../domain/uploads/upload.ts";
import { waitMilliseconds } from "../middleware/wait.ts";
import type { ApiRequest } from "../request.ts";

/** @returns the upload once it has ended, or when the client's waiting time is over */
export const whenEnded = async (context: Context, request: ApiRequest<unknown>, upload: Upload): Promise<Upload> => {
  const end = context.clock() + waitMilliseconds(request);
  let current = upload;
  for (let left = end - context.clock(); left > 0 && current.status === "pending"; left = end - context.clock()) {
    // Subscribed before the read, so that a change in between is not missed.
    const changed = context.notifications.changed(upload.id, left);
    current = (await context.uploads.getUpload(upload.id)) ?? current;
    if (current.status === "pending") {
      await changed;
    }
  }
  return (await context.uploads.getUpload(upload.id)) ?? current;
};
