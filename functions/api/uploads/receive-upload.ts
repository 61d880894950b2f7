import type { Context } from "../../domain/ports.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { holdVisitor } from "../sign-in/visitors.ts";
import { measuredOnly, type ReceivedFile, receiveForm, storedAs, type Target } from "./receive-file.ts";
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
    const received = await receiveOne(context, request, storedAs(context, upload.key));
    const { sourceFormat, ...file } = received;
    return await recordUpload(context, request, {
      upload: { ...upload, ...file, status: "ready" },
      content: contentOf(received),
    });
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
