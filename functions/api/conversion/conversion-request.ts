import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import {
  FILENAME_CHARACTERS_MAX,
  IMPORT_URL_CHARACTERS_MAX,
  MERGED_UPLOADS_MAX,
  METADATA_ENTRIES_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_VALUE_CHARACTERS_MAX,
  PIPELINE_STEPS_MAX,
  WEBHOOK_FILE_BYTES_MAX,
  WEBHOOK_URL_CHARACTERS_MAX,
} from "../../domain/limits.ts";
import { inlineStep, presetName } from "../pipelines/step-request.ts";
import { exportRequest } from "../storages/export-request.ts";

/** @returns the schema of the key-value pairs of a request. A function, because a description belongs to one schema */
export const metadataSchema = () => {
  const metadata = newMetadata();
  // The JSON Schema that is generated from this does not include refinements.
  z.globalRegistry.add(metadata, {
    description: "Key-value pairs that are returned with the job.",
    maxProperties: METADATA_ENTRIES_MAX,
  });
  return metadata;
};

const newMetadata = () =>
  z
    .record(
      z.string().check(z.minLength(1), z.maxLength(METADATA_KEY_CHARACTERS_MAX)),
      z.string().check(z.maxLength(METADATA_VALUE_CHARACTERS_MAX)),
    )
    .check(
      z.refine(
        (entries) => Object.keys(entries).length <= METADATA_ENTRIES_MAX,
        `an object with at most ${METADATA_ENTRIES_MAX} entries`,
      ),
    );

const uploadId = z.string().check(z.minLength(1), z.maxLength(64));
const oneOfMany = z.string().check(z.minLength(1), z.maxLength(64));

/** The URL of a webhook. Whether its address is allowed is checked on each delivery, once the host name is resolved. */
export const webhookUrl = () =>
  z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(WEBHOOK_URL_CHARACTERS_MAX));

const settings = {
  target_format: z.optional(
    described(
      z.string().check(z.minLength(1), z.maxLength(100)),
      "ID, extension (with or without the dot) or media type of a format. Case-insensitive. Required unless `preset` or `steps` is set.",
    ),
  ),
  options: z.optional(
    described(
      z.record(z.string(), z.unknown()),
      "Options of the conversion, as described by the JSON Schema that `getConversion` returns. Unknown options are rejected.",
    ),
  ),
  filename: z.optional(
    described(
      z.string().check(z.minLength(1), z.maxLength(FILENAME_CHARACTERS_MAX)),
      "The filename of the result. Default: the name of the upload with the extension of the target format.",
    ),
  ),
  webhook_url: z.optional(
    described(
      webhookUrl(),
      "The URL that receives a webhook when the job ends. Must be reachable from the internet; redirects are not followed. Default: the account's webhook URL, if any.",
    ),
  ),
  webhook_body: z.optional(
    described(
      z.enum(["job", "file"]),
      `The body of the webhook. \`file\`: the result itself, up to ${WEBHOOK_FILE_BYTES_MAX} bytes, with the headers \`anyform-job\` and \`anyform-event\`; larger results and failed jobs are sent as \`job\`. Default: \`job\`.`,
    ),
  ),
  export: z.optional(exportRequest),
  metadata: z.optional(metadataSchema()),
  preset: z.optional(presetName()),
  steps: z.optional(
    described(
      z.array(inlineStep).check(z.minLength(1), z.maxLength(PIPELINE_STEPS_MAX - 1)),
      "Steps after the conversion, each of which reads the result of the one before. The job of the response is the last step. Without `target_format`, the first step reads the upload. To read several results or offer several, use `createPipeline`.",
    ),
  ),
};

type Chosen = { readonly [Name in "preset" | "steps" | "target_format"]?: unknown };

const hasTarget = () =>
  z.refine<Chosen>((body) => [body.target_format, body.preset, body.steps].some(isSet), {
    path: ["target_format"],
    // Reported together with any other errors.
    when: ({ value }) => typeof value === "object" && value !== null,
  });

const isSet = (value: unknown): boolean => value !== undefined;

/**
 * The body of a conversion request: one upload, or several to merge into one file. `options` is validated later, once
 * the conversion is known.
 */
export const conversionRequest = z
  .strictObject({
    upload_id: z.optional(described(uploadId, "The upload to convert.")),
    upload_ids: z.optional(
      described(
        z.array(oneOfMany).check(z.minLength(1), z.maxLength(MERGED_UPLOADS_MAX)),
        "Instead of `upload_id`: the uploads to merge into one file, in this order. Images and PDFs can be merged into a " +
          "PDF; images into an animated gif, webp or apng, or a multi-page tiff; any files into a zip, tar, tgz or tzst.",
      ),
    ),
    url: z.optional(
      described(
        z.url({ protocol: /^https?$/, hostname: /./ }).check(
          z.maxLength(IMPORT_URL_CHARACTERS_MAX),
          z.refine((text) => URL.parse(text)?.username === "", "a URL without a user name"),
        ),
        "Instead of `upload_id`: the web page to load in a browser, for the targets pdf, png, jpg and webp. Must be " +
          "reachable from the internet. To convert a file at a URL, create an upload with its `url` first.",
      ),
    ),
    ...settings,
  })
  .check(
    z.refine(({ upload_id, upload_ids, url }) => [upload_id, upload_ids, url].filter(isSet).length === 1, {
      path: ["upload_id"],
      message: "Set one of `upload_id`, `upload_ids` and `url`.",
      // Reported together with any other errors.
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
    hasTarget(),
  );

// Without `oneOf` for the three: client generators make an untyped object of it.
z.globalRegistry.add(conversionRequest, {
  description:
    "A conversion of one upload, or a merge of several into one file. Set one of `upload_id`, `upload_ids` and `url`.",
});

export type ConversionRequest = z.infer<typeof conversionRequest>;

/** A request whose preset has been applied, and whose steps are separate jobs. */
export type CompleteRequest = ConversionRequest & { readonly target_format: string };

/** A conversion of files that the same request contains. */
export const conversionSettings = z.strictObject(settings).check(hasTarget());

export type ConversionSettings = z.infer<typeof conversionSettings>;
