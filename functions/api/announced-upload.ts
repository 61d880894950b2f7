import { RequestError } from "../domain/errors.ts";
import { SINGLE_PUT_BYTES_MAX, TEST_UPLOAD_BYTES_MAX, UPLOAD_PART_BYTES } from "../domain/limits.ts";
import type { Context } from "../domain/ports.ts";
import { type PendingUpload, safeFilename } from "../domain/uploads.ts";
import { checkForcedRefusal } from "./forced.ts";
import { jsonBody } from "./middleware/read-json.ts";
import type { ApiRequest } from "./request.ts";
import { type JsonUploadRequest, uploadRequestFor } from "./upload-request.ts";
import { checkVisitorsFile } from "./visitors.ts";

/**
 * @returns what the client says of a file that is still to come
 * @throws RequestError for what is not valid, or is refused before the file
 */
export const announcement = async (request: ApiRequest<unknown>): Promise<JsonUploadRequest> => {
  const body = await jsonBody(request, uploadRequestFor);
  checkForcedRefusal(request, body.filename ?? "");
  if (request.isTest && "size" in body && body.size > TEST_UPLOAD_BYTES_MAX) {
    throw new RequestError("payload_too_large", `A test key takes files of at most ${TEST_UPLOAD_BYTES_MAX} bytes.`);
  }
  checkVisitorsFile(request, body);
  return body;
};

/** @returns the upload that is recorded until the file is here; a large one's transfer in parts has begun then */
export const pendingUpload = async (
  { files }: Pick<Context, "files">,
  base: Omit<PendingUpload, "filename" | "source" | "status">,
  body: JsonUploadRequest,
): Promise<PendingUpload> => {
  if ("url" in body) {
    const filename = safeFilename(body.filename ?? nameIn(body.url));
    const source = { kind: "fetched", url: body.url, headers: body.headers ?? {} } as const;
    return { ...base, filename, status: "pending", source };
  }
  const source = {
    kind: "sent",
    bytes: body.size,
    ...(body.sha256 !== undefined && { sha256: body.sha256 }),
    ...(body.size > SINGLE_PUT_BYTES_MAX && {
      parts: { bytes: UPLOAD_PART_BYTES, transfer: await files.beginParts(base.key) },
    }),
  } as const;
  return { ...base, filename: safeFilename(body.filename), status: "pending", source };
};

/** @returns the name of the file that a URL ends with */
const nameIn = (url: string): string => {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};
