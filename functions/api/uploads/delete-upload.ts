import { needsUpload } from "../../domain/jobs/job.ts";
import { PAGE_ITEMS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { HOUR_MS } from "../../domain/times.ts";
import type { Upload } from "../../domain/uploads/upload.ts";
import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { requireUpload } from "./require-upload.ts";

/**
 * Deletes an upload. It expires at once, so no new job can use it. While an unfinished job needs the file, the file is
 * kept, and deleted like those of expired uploads.
 */
export const deleteUpload = operation({
  id: "deleteUpload",
  methods: ["DELETE"],
  path: "/api/v1/upload/{id}",
  auth: "key",
  visitors: true,
  scope: "upload",
  permissions: {
    tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] },
    only: { ...useOnly, jobs: { attributes: ["expiresAt", "pk"] } },
    index: "by-account",
    files: { uploads: ["AbortMultipartUpload", "DeleteObject"] },
  },
  tag: "Uploads",
  summary: "Delete an upload",
  description:
    "Deletes an upload with its file immediately, complete or not. Jobs that have been created from it are not affected: while one of them has not ended, the file is kept for it, and deleted later. Afterwards the upload is `expired`.",
  parameters: ["uploadId"],
  answers: { 204: { description: "The upload was deleted." } },
  errors: ["not_found", "expired"],
  run: (context) => async (request) => {
    const upload = await requireUpload(context, request, param(request, "id"));
    // Expired first: a job that is created from now on is rejected, instead of failing without its file.
    await context.uploads.expire(upload.id, request.now);
    if (await isNeeded(context, upload, request.now)) {
      return { status: 204 };
    }
    if (upload.status === "pending" && upload.source.kind === "sent" && upload.source.parts !== undefined) {
      await context.files.abortParts(upload.key, upload.source.parts.transfer);
    }
    await context.files.remove([upload.key]);
    return { status: 204 };
  },
});

/** @returns whether an unfinished job of the account needs the upload, or there are too many jobs to tell */
const isNeeded = async ({ jobs }: Context, { id, accountId, createdAt }: Upload, now: number): Promise<boolean> => {
  // A job is newer than its uploads, except that the clocks of two functions can differ a little.
  const query = { accountId, limit: PAGE_ITEMS_MAX, createdAfter: createdAt - HOUR_MS, now };
  const pages = [
    await jobs.listJobs({ ...query, status: "queued" }),
    await jobs.listJobs({ ...query, status: "processing" }),
  ];
  return pages.some(({ items, next }) => next !== undefined || items.some((job) => needsUpload(job, id)));
};
