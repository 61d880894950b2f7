/** JSON Schemas of the tools' inputs and outputs. */

const text = (description: string) => ({ type: "string", description });

const object = (properties: object, required: readonly string[], more: object = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});

const closed = { additionalProperties: false };
const warnings = { type: "array", items: object({ code: text("Warning code."), detail: text("Description.") }, []) };
const orNull = (type: string) => ({ type: [type, "null"] });

export const convertInput = object(
  {
    input: text("Path of a file, or an http(s) URL that the service can reach."),
    target: text("Target format: ID, file extension or media type, for example pdf."),
    options: { type: "object", description: 'Conversion options, for example {"quality": 80}.' },
    output: text("Path of the result. Default: the input's path with the target's extension."),
    overwrite: { type: "boolean", description: "Whether to replace an existing file. Default: false." },
  },
  ["input", "target"],
  closed,
);

export const convertOutput = object(
  {
    output: text("Path of the result."),
    size: { type: "integer", description: "Size in bytes." },
    media_type: text("Media type of the result."),
    fidelity: { type: "string", enum: ["lossless", "lossy", "content_only"] },
    job_id: text("Job ID, for the `status` tool."),
    warnings,
  },
  ["output", "size", "media_type", "fidelity", "job_id", "warnings"],
);

export const formatsInput = object(
  { source: text("List only conversions from this format."), target: text("List only conversions into this format.") },
  [],
  closed,
);

export const formatsOutput = object(
  { formats: { type: "array", items: object({}, []) }, conversions: { type: "array", items: object({}, []) } },
  [],
);

export const statusInput = object({ job_id: text("Job ID (job_...).") }, ["job_id"], closed);

export const statusOutput = object(
  {
    id: text("Job ID."),
    status: { type: "string", enum: ["queued", "processing", "completed", "failed", "cancelled", "expired"] },
    progress: { type: "integer", description: "Progress in percent." },
    source_format: text("Format of the input."),
    target_format: text("Format of the result."),
    filename: orNull("string"),
    size: orNull("integer"),
    warnings,
    error: orNull("object"),
  },
  ["id", "status", "progress", "warnings"],
);
