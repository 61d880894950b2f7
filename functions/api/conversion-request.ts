import * as z from "zod/mini";
import {
  BATCH_CONVERSIONS_MAX,
  FILENAME_CHARACTERS_MAX,
  MERGED_UPLOADS_MAX,
  METADATA_ENTRIES_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_VALUE_CHARACTERS_MAX,
  WEBHOOK_URL_CHARACTERS_MAX,
} from "../domain/limits.ts";
import { described } from "../domain/options/described.ts";

const metadata = z
  .record(
    z.string().check(z.minLength(1), z.maxLength(METADATA_KEY_CHARACTERS_MAX)),
    z.string().check(z.maxLength(METADATA_VALUE_CHARACTERS_MAX)),
  )
  .check(
    z.refine(
      (entries) => Object.keys(entries).length <= METADATA_ENTRIES_MAX,
      `At most ${METADATA_ENTRIES_MAX} entries.`,
    ),
  );

// A refinement is not seen in the JSON Schema that is made of this.
z.globalRegistry.add(metadata, {
  description: "What the client wants to find in the job again.",
  maxProperties: METADATA_ENTRIES_MAX,
});

const uploadId = z.string().check(z.minLength(1), z.maxLength(64));
const oneOfMany = z.string().check(z.minLength(1), z.maxLength(64));

/** Where messages are sent, wherever that is said. Which addresses are reached is looked at each time, when it is known. */
export const webhookUrl = () =>
  z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(WEBHOOK_URL_CHARACTERS_MAX));

const wishes = {
  target_format: described(
    z.string().check(z.minLength(1), z.maxLength(100)),
    "Id, extension (with or without its dot) or media type of a format, in any case.",
  ),
  options: z.optional(
    described(
      z.record(z.string(), z.unknown()),
      "What `listFormats` gives a JSON Schema for with each conversion; an unknown one is an error.",
    ),
  ),
  filename: z.optional(
    described(
      z.string().check(z.minLength(1), z.maxLength(FILENAME_CHARACTERS_MAX)),
      "The name of the result. Default: the name of the upload with the extension of the target.",
    ),
  ),
  webhook_url: z.optional(
    described(
      webhookUrl(),
      "Where the end of the job is told. It must be reachable from the internet; redirects are not followed. Default: the address that the account has set, if any.",
    ),
  ),
  metadata: z.optional(metadata),
};

/**
 * The body of a conversion: of one upload, or of several that become one file. `options` is checked against what the
 * conversion takes, once that is known.
 */
export const conversionRequest = z
  .strictObject({
    upload_id: z.optional(described(uploadId, "What is converted.")),
    upload_ids: z.optional(
      described(
        z.array(oneOfMany).check(z.minLength(1), z.maxLength(MERGED_UPLOADS_MAX)),
        "In place of `upload_id`: uploads that become one file, in this order: pictures and PDFs one PDF; pictures an " +
          "animated gif, webp or apng, or a tiff of pages; files of any format a zip, tar, tgz or tzst.",
      ),
    ),
    ...wishes,
  })
  .check(
    z.refine(({ upload_id, upload_ids }) => (upload_id === undefined) !== (upload_ids === undefined), {
      path: ["upload_id"],
      message: "Give either `upload_id` or `upload_ids`.",
      // Said beside whatever else is wrong.
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
  );

z.globalRegistry.add(conversionRequest, {
  description: "A conversion of one upload, or of several that become one file.",
  oneOf: [{ required: ["upload_id"] }, { required: ["upload_ids"] }],
});

export type ConversionRequest = z.infer<typeof conversionRequest>;

/** The body of a batch: each conversion is checked, accepted and counted by itself. */
export const batchRequest = z.strictObject({
  conversions: described(
    z.array(z.unknown()).check(z.minLength(1), z.maxLength(BATCH_CONVERSIONS_MAX)),
    "Each is what `createJob` takes (`ConversionRequest`); one that is not is refused by itself.",
  ),
});

export type BatchRequest = z.infer<typeof batchRequest>;
