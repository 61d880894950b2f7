import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import {
  SINGLE_PUT_BYTES_MAX,
  TEST_UPLOAD_BYTES_MAX,
  UPLOAD_BYTES_MAX,
  UPLOAD_PART_BYTES,
} from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { type SentSource, safeFilename } from "../../domain/uploads/upload.ts";
import { checkSimulatedRefusal } from "../middleware/simulated-errors.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { checkVisitorsSize, holdVisitor } from "../sign-in/visitors.ts";
import { filenameField } from "./filename-field.ts";
import { earlierUpload, newUpload, recordUpload, repeatUpload } from "./record-upload.ts";
import { reserveSpace } from "./reserve-space.ts";
import { declaredFormat, sourceFormatField } from "./source-format.ts";

export const announceUploadRequest = described(
  z.strictObject({
    filename: filenameField("The filename. The format is detected from the content first, then from the extension."),
    size: described(z.int().check(z.minimum(1), z.maximum(UPLOAD_BYTES_MAX)), "Size of the file in bytes."),
    content_type: z.optional(
      described(
        z.string().check(z.maxLength(200)),
        "The media type of the file. It decides between text formats if neither the content nor the filename does.",
      ),
    ),
    source_format: z.optional(sourceFormatField),
    sha256: z.optional(
      described(
        z.string().check(z.regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits in lower case")),
        "SHA-256 of the file, in hexadecimal. The upload fails if it does not match.",
      ),
    ),
  }),
  "A file that the client sends to the file store.",
);

type Announcement = z.infer<typeof announceUploadRequest>;

/**
 * Creates an upload that the client sends to the file store, in one request or in parts. Disk space is checked, but not
 * reserved: the file may arrive within a day, or never, and space is checked again when it does.
 *
 * @throws RequestError when the file is too large or there is no space; nothing is metered then
 */
export const announceUpload = async (context: Context, request: ApiRequest<Announcement>): Promise<Answer> => {
  const { body } = request;
  const sourceFormat = declaredFormat(body.source_format);
  await holdVisitor(context, request);
  checkSimulatedRefusal(request, body.filename);
  checkSize(request);
  const content = JSON.stringify(body);
  const space = reserveSpace(context, request, body.size);
  if ("refusal" in space) {
    const earlier = await earlierUpload(context, request, space.refusal);
    return repeatUpload(context, request, { earlier, content });
  }
  try {
    const upload = newUpload(context, request);
    const declared = await sourceOf(context, upload.key, body);
    const source = { ...declared, ...(sourceFormat !== undefined && { sourceFormat }) };
    return await recordUpload(context, request, {
      upload: { ...upload, filename: safeFilename(body.filename), status: "pending", source },
      content,
    });
  } finally {
    space.release();
  }
};

/** @throws RequestError `payload_too_large` */
const checkSize = (request: ApiRequest<Announcement>): void => {
  const { size } = request.body;
  if (request.isTest && size > TEST_UPLOAD_BYTES_MAX) {
    throw new RequestError("payload_too_large", `Test keys accept files up to ${TEST_UPLOAD_BYTES_MAX} bytes.`);
  }
  checkVisitorsSize(request, size);
};

/** Starts the multipart transfer of a large file. */
const sourceOf = async (
  { files }: Pick<Context, "files">,
  key: string,
  { size, sha256, content_type: mediaType }: Announcement,
): Promise<SentSource> => ({
  kind: "sent",
  bytes: size,
  ...(sha256 !== undefined && { sha256 }),
  ...(mediaType !== undefined && { mediaType }),
  ...(size > SINGLE_PUT_BYTES_MAX && { parts: { bytes: UPLOAD_PART_BYTES, transfer: await files.beginParts(key) } }),
});
