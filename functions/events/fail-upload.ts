import { context as deployedContext } from "#context";
import type { Context } from "../domain/ports.ts";
import { type MessageOutcome, taskHandler } from "./queue.ts";

/**
 * Ends the upload of a dead letter: its message was delivered as often as it may be, and the upload did not end. What
 * came of its file is erased.
 */
export const failUpload =
  (context: Context) =>
  async (id: string): Promise<MessageOutcome> => {
    const upload = await context.uploads.getUpload(id);
    if (upload?.status !== "pending") {
      return "done";
    }
    const detail = "The file could not be taken in, for a reason that is ours. Send it again.";
    if (await context.uploads.settle(id, { status: "failed", error: { code: "fetch_failed", detail } })) {
      await context.files.remove([upload.key]);
    }
    return "done";
  };

export const handler = taskHandler((id) => failUpload(deployedContext())(id));
