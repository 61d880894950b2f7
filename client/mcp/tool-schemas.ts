/** What the tools take and give, as JSON Schema. */

const text = (description: string) => ({ type: "string", description });

const object = (properties: object, required: readonly string[], more: object = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});

const closed = { additionalProperties: false };
const warnings = { type: "array", items: object({ code: text("For programs."), detail: text("For people.") }, []) };
const orNull = (type: string) => ({ type: [type, "null"] });

export const convertInput = object(
  {
    input: text("Path of a file, or an http(s) address that the service can reach."),
    target: text("Id, extension or media type of the format, for example pdf."),
    options: { type: "object", description: 'Options of the conversion, for example {"quality": 80}.' },
    output: text("Path of the result. Default: the input's with another extension."),
    overwrite: { type: "boolean", description: "Whether a file that is there may be replaced. Default false." },
  },
  ["input", "target"],
  closed,
);

export const convertOutput = object(
  {
    output: text("Path of the result."),
    size: { type: "integer", description: "Bytes." },
    media_type: text("Media type of the result."),
    fidelity: { type: "string", enum: ["lossless", "lossy", "content_only"] },
    job_id: text("For `status`."),
    warnings,
  },
  ["output", "size", "media_type", "fidelity", "job_id", "warnings"],
);

export const formatsInput = object(
  { source: text("Only conversions from this format."), target: text("Only conversions into this format.") },
  [],
  closed,
);

export const formatsOutput = object(
  { formats: { type: "array", items: object({}, []) }, conversions: { type: "array", items: object({}, []) } },
  [],
);

export const statusInput = object({ job_id: text("Id of the job, job_...") }, ["job_id"], closed);

export const statusOutput = object(
  {
    id: text("Id of the job."),
    status: { type: "string", enum: ["queued", "processing", "completed", "failed", "cancelled", "expired"] },
    progress: { type: "integer", description: "Percent." },
    source_format: text("Format of the input."),
    target_format: text("Format of the result."),
    filename: orNull("string"),
    size: orNull("integer"),
    warnings,
    error: orNull("object"),
  },
  ["id", "status", "progress", "warnings"],
);
