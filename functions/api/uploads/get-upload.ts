import { uploadView } from "../../domain/uploads/upload.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { requireUpload } from "./require-upload.ts";
import { transferOf } from "./transfer.ts";
import { whenEnded } from "./wait-for-upload.ts";

/**
 * Returns an upload; while its bytes are still to be sent, also how to send them and which parts have been received.
 */
export const getUpload = operation({
  id: "getUpload",
  methods: ["GET"],
  path: "/api/v1/upload/{id}",
  auth: "key",
  visitors: true,
  scope: "upload",
  timeoutSeconds: 29,
  permissions: {
    tables: { ...keyed, jobs: ["GetItem"] },
    only: useOnly,
    files: { uploads: ["ListMultipartUploadParts", "PutObject"] },
    plans: true,
  },
  tag: "Uploads",
  summary: "Retrieve an upload",
  description:
    "Returns the status of an upload: `pending`, then `ready` or `failed`. While bytes are to be sent, `upload` contains fresh URLs and the parts received so far, so that an interrupted upload can be resumed.",
  parameters: ["uploadId", "wait", "prefer"],
  answers: {
    200: { description: "The upload.", examples: ["uploadInParts", "uploadReady", "uploadFailed"] },
  },
  errors: ["invalid_request", "not_found", "expired"],
  examples: ({ uploads, targets }) => ({
    uploadFailed: example("Upload", "A file that could not be fetched", uploadView(uploads.failed, targets)),
  }),
  run: (context) => async (request) => {
    const upload = await whenEnded(context, request, await requireUpload(context, request, param(request, "id")));
    return { status: 200, body: uploadView(upload, context.routes, await transferOf(context, request, upload)) };
  },
});
