import type { Context } from "../../domain/ports.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { holdVisitor } from "../sign-in/visitors.ts";
import { measuredOnly, type ReceivedFile, receiveForm, storedSoonAs, type Target } from "./receive-file.ts";
import { earlierUpload, newUpload, recordUpload, repeatUpload } from "./record-upload.ts";
import { reserveBodySpace } from "./reserve-space.ts";

/**
 * Creates an upload from the file in a multipart form. A file that exceeds the service's limit is rejected as too large,
 * not as retryable.
 *
 * @throws RequestError for an invalid form or file; nothing is stored or metered then
 */
export const receiveUpload = async (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const space = reserveBodySpace(context, request);
  if ("refusal" in space) {
    const earlier = await earlierUpload(context, request, space.refusal);
    const file = await receiveOne(context, request, measuredOnly);
    return repeatUpload(context, request, { earlier, content: contentOf(file) });
  }
  try {
    await holdVisitor(context, request);
    const upload = newUpload(context, request);
    // Only a repeated request can find an upload that was not confirmed, so its file must be on the disk before its record.
    const isRepeatable = request.headers["idempotency-key"] !== undefined;
    const target = storedSoonAs(context, upload.key);
    const received = await receiveOne(context, request, target);
    const { sourceFormat, ...file } = received;
    await (isRepeatable ? target.onDisk() : undefined);
    const answer = await recordUpload(context, request, {
      upload: { ...upload, ...file, status: "ready" },
      content: contentOf(received),
    });
    await target.onDisk();
    return answer;
  } finally {
    space.release();
  }
};

/** Other fields of the form are ignored: many upload widgets send some. */
const receiveOne = async (context: Context, request: ApiRequest<unknown>, target: Target): Promise<ReceivedFile> => {
  const { files } = await receiveForm(context, request, { filesMax: 1, next: async () => target });
  const [file] = files;
  if (file === undefined) {
    throw new TypeError("A form without a file was accepted.");
  }
  return file;
};

const contentOf = ({ filename, bytes, sha256, sourceFormat }: ReceivedFile): string =>
  JSON.stringify([filename, bytes, sha256, ...(sourceFormat === undefined ? [] : [sourceFormat])]);
