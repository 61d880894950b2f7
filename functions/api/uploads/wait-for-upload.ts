import type { Context } from "../../domain/ports.ts";
import type { Upload } from "../../domain/uploads/upload.ts";
import { waitMilliseconds, withinWaits } from "../middleware/wait.ts";
import type { ApiRequest } from "../request.ts";

/**
 * @returns the upload once it has ended, or when the client's waiting time is over; at once if too many requests of the
 * account wait
 */
export const whenEnded = async (context: Context, request: ApiRequest<unknown>, upload: Upload): Promise<Upload> => {
  const milliseconds = waitMilliseconds(request);
  if (milliseconds > 0 && upload.status === "pending") {
    return withinWaits(context, upload, () => endedUpload(context, upload, milliseconds));
  }
  return (await context.uploads.getUpload(upload.id)) ?? upload;
};

const endedUpload = async (context: Context, upload: Upload, milliseconds: number): Promise<Upload> => {
  const end = context.clock() + milliseconds;
  let current = upload;
  for (let left = milliseconds; left > 0 && current.status === "pending"; left = end - context.clock()) {
    // Subscribed before the read, so that a change in between is not missed.
    const changed = context.notifications.changed(upload.id, left);
    current = (await context.uploads.getUpload(upload.id)) ?? current;
    if (current.status === "pending") {
      await changed;
    }
  }
  return (await context.uploads.getUpload(upload.id)) ?? current;
};
