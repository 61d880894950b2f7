import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { uploadErrors } from "../errors/upload-errors.ts";
import { count, failure, flag, headers, id, orNull, sha256, text, time } from "../fields.ts";

/**
 * Uploads as the API returns them. Both the OpenAPI document and the types of responses are derived from these schemas.
 */

export const partSchema = described(
  z.strictObject({
    number: described(z.int().check(z.minimum(1)), "The number of the part, starting at 1."),
    offset: count("Byte offset of the part in the file."),
    size: count("Size of the part in bytes."),
    url: text("The URL to PUT the part to. Needs no API key; keep it secret."),
    headers: headers(),
    received: flag("Whether this part has been received. Resend missing or corrupt parts."),
  }),
  "A part of a large file.",
);

/** How to send the bytes of a pending upload: with one PUT, or one for each part. */
export const transferSchema = described(
  z.strictObject({
    method: described(z.enum(["PUT"]), "The HTTP method of requests to the file store."),
    expires_at: time("When the URLs expire. `getUpload` returns new ones."),
    url: z.optional(text("The URL to PUT the file to. Needs no API key; keep it secret.")),
    headers: z.optional(headers()),
    parts: z.optional(
      described(
        z.array(partSchema),
        "Instead of `url`: the parts of a large file. Send them in any order, several at once.",
      ),
    ),
  }),
  "How to send the bytes of a pending upload: with one PUT, or one for each part.",
);

export const uploadErrorSchema = failure(uploadErrors, "Why an upload failed.");

export const uploadSchema = described(
  z.strictObject({
    upload_id: id("upl", "Upload ID."),
    status: described(
      z.enum(["ready", "pending", "failed"]),
      "`pending` while the file is being sent, fetched or checked.",
    ),
    filename: text("The filename, without directories and control characters."),
    size: orNull(count("Size in bytes. Null until known.")),
    sha256: orNull(sha256()),
    format: orNull(text("Format ID, detected from the content. Null until the file has been received.")),
    media_type: orNull(text("The media type of the format.")),
    targets: described(z.array(z.string()), "IDs of the formats the file can be converted to."),
    created_at: time("When the upload was created."),
    expires_at: time("When the upload and its file are deleted."),
    upload: z.optional(transferSchema),
    error: orNull(uploadErrorSchema),
  }),
  "An uploaded file, or one that is still being sent or fetched.",
);

export type TransferView = z.infer<typeof transferSchema>;
export type UploadView = z.infer<typeof uploadSchema>;
