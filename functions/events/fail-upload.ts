import { context as deployedContext } from "#context";
import { importMeasured } from "../domain/measurements.ts";
import type { Context } from "../domain/ports.ts";
import { logger } from "../logger.ts";
import { type MessageOutcome, taskHandler } from "./queue.ts";

/**
 * Fails the upload of a dead letter: its message had the maximum number of deliveries, and the upload did not end.
 * Partial files are deleted.
 */
export const failUpload =
  (context: Context) =>
  async (id: string): Promise<MessageOutcome> => {
    const upload = await context.uploads.getUpload(id);
    if (upload?.status !== "pending") {
      return "done";
    }
    const detail = "The upload failed due to an internal error. Upload the file again.";
    const end = { status: "failed", error: { code: "fetch_failed", detail } } as const;
    if (await context.uploads.settle(id, end)) {
      context.metrics.record(importMeasured(upload, end, "service"));
      logger.error("upload given up", { upload_id: id, account_id: upload.accountId, code: end.error.code });
      await context.files.remove([upload.key]);
    }
    return "done";
  };

export const handler = taskHandler((id) => failUpload(deployedContext())(id));
