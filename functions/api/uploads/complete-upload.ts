import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { type PendingUpload, type SentSource, uploadView } from "../../domain/uploads/upload.ts";
import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { requireUpload } from "./require-upload.ts";
import { isStored, partsOf } from "./transfer.ts";
import { whenEnded } from "./wait-for-upload.ts";

/**
 * Completes an upload whose bytes the client has sent to the file store: checks that all have been received, and
 * starts detection. Safe to call again.
 */
export const completeUpload = operation({
  id: "completeUpload",
  methods: ["POST"],
  path: "/api/v1/upload/{id}/complete",
  auth: "key",
  visitors: true,
  scope: "upload",
  timeoutSeconds: 29,
  permissions: {
    tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] },
    only: useOnly,
    files: { uploads: ["GetObject", "ListMultipartUploadParts"] },
    asks: ["checks"],
    plans: true,
  },
  tag: "Uploads",
  summary: "Complete an upload",
  description:
    "Completes an upload whose bytes were sent to the file store: checks that everything has been received, verifies size and SHA-256, and detects the format. Safe to call again.",
  parameters: ["uploadId", "wait", "prefer"],
  answers: {
    200: { description: "The upload is `ready` or `failed`.", examples: ["uploadReady", "uploadFailed"] },
    202: { description: "The file is being checked.", examples: ["uploadFetched"], headers: ["Retry-After"] },
  },
  errors: ["invalid_request", "not_found", "upload_incomplete", "expired"],
  run: (context) => async (request) => {
    const upload = await requireUpload(context, request, param(request, "id"));
    if (upload.status === "pending") {
      const source = sentSource(upload);
      if (source.completedAt === undefined) {
        await checkAllSent(context, upload, source);
        await context.uploads.markSent(upload.id, request.now);
      }
      await context.tasks.checkUpload(upload);
    }
    const ended = await whenEnded(context, request, upload);
    const pending = ended.status === "pending";
    return {
      status: pending ? 202 : 200,
      ...(pending && { headers: { "retry-after": "1" } }),
      body: uploadView(ended, context.routes),
    };
  },
});

const sentSource = ({ id, source }: PendingUpload): SentSource => {
  if (source.kind === "fetched") {
    throw new RequestError("upload_incomplete", `Upload ${id} is being fetched and completes automatically.`);
  }
  return source;
};

/** @throws RequestError `upload_incomplete` with what is missing */
const checkAllSent = async (context: Context, { id, key }: PendingUpload, source: SentSource): Promise<void> => {
  if (source.parts === undefined) {
    const bytes = await context.files.bytesOf(key);
    if (bytes !== source.bytes) {
      throw new RequestError(
        "upload_incomplete",
        `Upload ${id} is incomplete: ${bytes ?? 0} of ${source.bytes} bytes received.`,
      );
    }
    return;
  }
  const stored = (await context.files.partsOf(key, source.parts.transfer)) ?? [];
  const missing = partsOf(source).filter((part) => !isStored(stored, part));
  if (missing.length > 0) {
    const numbers = missing.map(({ number }) => number);
    const shown = `${numbers.slice(0, 20).join(", ")}${numbers.length > 20 ? ", …" : ""}`;
    throw new RequestError("upload_incomplete", `Upload ${id} is incomplete: missing parts ${shown}.`);
  }
};
