import { COUNTED_REQUESTS } from "../../domain/accounts/quotas.ts";
import { uploadOptions } from "../../domain/conversions/options.ts";
import type { Variant } from "../operation.ts";
import { SOURCE_FORMAT_CHARACTERS_MAX, SOURCE_FORMAT_DESCRIPTION } from "../uploads/source-format.ts";

const file = { type: "string", format: "binary" } as const;

/**
 * A job in place of a file, unless the client accepts only `application/json`. The result can be a JSON file. And generated
 * clients that request `application/json` wherever a response documents it would never get the file.
 */
export const JOB_MEDIA_TYPE = "application/vnd.anyform.job+json";

const OPTION_FILE = "The file of the option with this name, instead of the ID of an upload.";

const form = {
  "multipart/form-data": {
    type: "object",
    required: ["file"],
    description:
      "Files and how to convert them. Options are JSON in `options`, or single fields: `options[quality]=80` or " +
      "`quality=80`. Empty values and unknown fields are ignored.",
    properties: {
      file: {
        ...file,
        description: "The file, with its filename. Repeat the field to merge up to 100 files, in this order.",
      },
      source_format: {
        type: "string",
        maxLength: SOURCE_FORMAT_CHARACTERS_MAX,
        description: SOURCE_FORMAT_DESCRIPTION,
      },
      ...Object.fromEntries(uploadOptions.keys().map((name) => [name, { ...file, description: OPTION_FILE }])),
      target_format: {
        type: "string",
        description: "ID, extension or media type of a format. Required unless `preset` or `steps` is set.",
      },
      filename: { type: "string", description: "The filename of the result." },
      options: { type: "string", description: "The options as a JSON object." },
      metadata: { type: "string", description: "Key-value pairs as a JSON object." },
      preset: { type: "string", description: "Name of a saved preset, which can replace `target_format`." },
      steps: { type: "string", description: "Steps after the conversion, as a JSON array." },
      webhook_url: { type: "string", description: "The URL that receives a webhook when the job ends." },
    },
  },
} as const;

const raw = {
  "application/octet-stream": {
    ...file,
    description: "The file itself, with any media type except JSON. The other settings are in the URL.",
  },
} as const;

const FILE_HEADERS = ["ETag", "Content-Disposition", "Content-Length"] as const;
const JOB_HEADERS = ["X-Job-Id", "X-Job-Url", "X-Job-Warnings"] as const;

const answers: NonNullable<Variant["answers"]> = {
  200: {
    description: "The result.",
    media: ["*/*"],
    headers: ["Location", "Idempotent-Replayed", ...FILE_HEADERS, ...JOB_HEADERS],
  },
  202: {
    description: "The job did not end while the request waited.",
    examples: ["jobQueued"],
    jsonType: JOB_MEDIA_TYPE,
    headers: ["Location", "Retry-After", "Idempotent-Replayed"],
  },
  303: {
    description: "Redirects to the result, which is too large for the response.",
    headers: ["Location", "Idempotent-Replayed", ...JOB_HEADERS],
  },
};

const RESULT = `The response is the result if the job ends within 25 seconds (or \`wait\`), and otherwise 202 with the job. A failed job is a problem with its code: 422 if the file or the options caused it, 503 if the service did. \`Accept: application/json\` returns the job instead of the result, as \`createJob\` does. On AWS the body can have up to 4,500,000 bytes, and results above 4,000,000 bytes are a redirect: follow redirects (\`curl -L\`).

${COUNTED_REQUESTS}`;

const inForm: Variant = {
  summary: "Convert a file in one call",
  description: `Converts the file of a multipart form and returns the result. Several \`file\` fields are merged into one result. \`POST /api/v1/convert\` accepts the same form. ${RESULT}`,
  parameters: ["wait", "prefer", "idempotencyKey"],
  files: () => form,
  requests: [],
  alsoServes: ["createJob", "convertFilePut"],
  answers,
};

const asBody: Variant = {
  summary: "Convert the file in the body",
  description: `Converts the file that is the body of the request and returns the result: \`curl -T\`. POST accepts the same body. ${RESULT}`,
  parameters: [
    "resultFormat",
    "fileFormat",
    "sourceFilename",
    "resultFilename",
    "webhookUrl",
    "jobMetadata",
    "jobOptions",
    "wait",
    "prefer",
    "idempotencyKey",
  ],
  files: () => raw,
  requests: [],
  alsoServes: ["createJob", "convertFile"],
  answers,
};

/** The request bodies of `createJob` that contain files. */
export const conversionFiles = { ...form, ...raw };

/** The variants of `createJob`. Only its own path is described with JSON. */
export const conversionVariants = {
  createJob: { files: () => ({}) },
  createJobPut: asBody,
  convertFile: inForm,
  convertFilePut: asBody,
};
