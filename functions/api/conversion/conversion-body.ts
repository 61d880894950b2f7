import { filenameIn } from "../../domain/content-disposition.ts";
import { uploadOptions } from "../../domain/conversions/options.ts";
import { RequestError } from "../../domain/errors.ts";
import { MERGED_UPLOADS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import type { ApiRequest } from "../request.ts";
import { isForm } from "../uploads/multipart.ts";
import { type ReceivedFile, receiveBody, receiveForm, type Target } from "../uploads/receive-file.ts";
import type { ConversionSettings } from "./conversion-request.ts";
import { settingsOf } from "./form-options.ts";

/** The received files, and how to convert them. */
export interface ConversionBody {
  readonly files: readonly ReceivedFile[];
  /** @throws RequestError `invalid_request` for invalid fields of a form, which can follow the files */
  readonly settings: () => ConversionSettings;
}

/** The files to convert, and those of options. */
const FILES = { filesMax: MERGED_UPLOADS_MAX, fileFields: new Set(uploadOptions.keys()) } as const;

/**
 * Reads a body with the files themselves: a multipart form, or one file, with the fields in the URL.
 *
 * @param next returns the destination of the next file; called before it is read
 * @throws RequestError like `receiveForm` and `receiveBody`; nothing remains stored then
 */
export const readConversion = async (
  context: Pick<Context, "uploadBytesMax">,
  request: ApiRequest<unknown>,
  next: () => Promise<Target>,
): Promise<ConversionBody> => {
  const query = Object.entries(request.query);
  if (isForm(request)) {
    const { files, fields } = await receiveForm(context, request, { ...FILES, next });
    return { files, settings: () => settingsOf([...query, ...fields]) };
  }
  if (request.query.target_format === undefined) {
    throw new RequestError(
      "unsupported_media_type",
      "Send application/json with `upload_id`, a multipart form with `file`, or the file itself with `?target_format=` in the URL.",
    );
  }
  // Checked before the file is read. An upload can take long.
  const settings = settingsOf(query);
  const filename = request.query.source_filename || filenameIn(request.headers["content-disposition"] ?? "") || "file";
  const files = await receiveBody(context, request, { filename, target: await next() });
  return { files, settings: () => settings };
};
