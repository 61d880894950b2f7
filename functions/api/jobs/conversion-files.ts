import { SOURCE_FORMAT_CHARACTERS_MAX, SOURCE_FORMAT_DESCRIPTION } from "../uploads/source-format.ts";

const file = { type: "string", format: "binary" } as const;

/** The request bodies of `createJob` that contain files, by media type, as JSON Schema. */
export const conversionFiles = {
  "multipart/form-data": {
    type: "object",
    required: ["file", "target_format"],
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
      target_format: { type: "string", description: "ID, extension or media type of a format." },
      filename: { type: "string", description: "The filename of the result." },
      options: { type: "string", description: "The options as a JSON object." },
      metadata: { type: "string", description: "Key-value pairs as a JSON object." },
      webhook_url: { type: "string", description: "The URL that receives a webhook when the job ends." },
    },
    additionalProperties: { type: "string" },
  },
  "application/octet-stream": {
    ...file,
    description: "The file itself, with any media type except JSON. The other settings are in the URL.",
  },
} as const;
