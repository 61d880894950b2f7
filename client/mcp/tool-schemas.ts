/** JSON Schemas of the tools' inputs and outputs. */

export const text = (description: string) => ({ type: "string", description });

export const object = (properties: object, required: readonly string[], more: object = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});

export const closed = { additionalProperties: false };
const warnings = { type: "array", items: object({ code: text("Warning code."), detail: text("Description.") }, []) };
export const orNull = (type: string) => ({ type: [type, "null"] });

/** Further settings of a conversion. */
const further = {
  preset: text("Name of a saved preset. Its options apply unless `options` sets them."),
  steps: {
    type: "array",
    items: object({ operation: text("encrypt, watermark, compress, rotate, ...") }, ["operation"]),
    description: "Steps that follow the conversion, one after another. The result is that of the last one.",
  },
  export: {
    type: "object",
    properties: {
      url: text("URL that receives the result."),
      storage: text("Name of a saved storage."),
      key: text("Key in the storage. Default: {name}, the file name of the result."),
    },
    description: "Where the service also sends the result: `url`, or `storage`.",
  },
  storage: text("Name of a saved storage from which the service reads the input, which is a key in it."),
  webhook_url: text("URL that receives the end of the job."),
  metadata: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "Texts that are saved with the job and sent with its webhook.",
  },
};

export const convertInput = object(
  {
    input: text("Path of a file, an http(s) URL that the service can reach, or a key in `storage`."),
    page: {
      type: "boolean",
      description: "Whether the URL is a web page to open in a browser, not a file to download. Default: false.",
    },
    target: text(
      "Target format: ID, file extension or media type, for example pdf. Required without `preset` and `steps`.",
    ),
    options: { type: "object", description: 'Conversion options, for example {"quality": 80}.' },
    ...further,
    output: text("Path of the result. Default: the input's path with the target's extension."),
    overwrite: { type: "boolean", description: "Whether to replace an existing file. Default: false." },
  },
  ["input"],
  closed,
);

export const mergeInput = object(
  {
    inputs: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "Paths of files, or http(s) URLs that the service can reach, in the order of the result.",
    },
    target: text(
      "Target format: ID, file extension or media type, for example pdf. Required without `preset` and `steps`.",
    ),
    options: { type: "object", description: "Options of the conversion." },
    ...further,
    output: text("Path of the result."),
    overwrite: { type: "boolean", description: "Whether to replace an existing file. Default: false." },
  },
  ["inputs", "output"],
  closed,
);

export const pipelineInput = object(
  {
    inputs: {
      type: "object",
      additionalProperties: { type: "string" },
      description:
        "Paths of files, or http(s) URLs that the service can reach, by the names that steps read them under.",
    },
    steps: {
      type: "array",
      items: object(
        {
          name: text("Name of the step."),
          operation: text("convert, merge, archive, compress, watermark, encrypt, rotate, thumbnail, ..."),
          from: { description: "Name of an input or step, or a list of names. Default: the step before." },
          target_format: text("Target format. `convert` requires it."),
          preset: text("Name of a saved preset without steps."),
          options: { type: "object", description: "Options of the conversion." },
          filename: text("Name of the result."),
        },
        ["name", "operation"],
      ),
      minItems: 1,
      description: "The steps. Results of steps that no other step reads are written.",
    },
    output: text("Path of an existing folder for the results."),
    overwrite: { type: "boolean", description: "Whether to replace existing files. Default: false." },
  },
  ["inputs", "steps", "output"],
  closed,
);

export const pipelineOutput = object(
  {
    pipeline_id: text("ID of the pipeline."),
    outputs: { type: "object", additionalProperties: { type: "string" }, description: "Paths of the results by step." },
  },
  ["pipeline_id", "outputs"],
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

const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });

export const formatsInput = object(
  {
    family: text("List the formats of this family, for example image."),
    source: text("List what this format can be converted to."),
    target: text("List what can be converted to this format."),
    merge_with: texts("With source and target: formats of further files, to describe the merge with them."),
  },
  [],
  closed,
);

export const formatsOutput = object(
  {
    families: { type: "array", items: object({}, []), description: "Families with the numbers of their formats." },
    formats: { type: "array", items: object({}, []), description: "The formats of a family." },
    source: text("ID of the source format."),
    targets: texts("IDs of the formats that the source can be converted to."),
    target: text("ID of the target format."),
    sources: texts("IDs of the formats that can be converted to the target."),
    conversion: { type: "object", description: "The conversion of the source to the target." },
  },
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

export const accountInput = object({}, [], closed);

const count = (description: string) => ({ type: "integer", description });

const countOrNull = (description: string) => ({ type: ["integer", "null"], description });

export const accountOutput = object(
  {
    plan: text("Name of the plan."),
    limit: countOrNull("Requests per UTC month. Null: unlimited."),
    used: count("Requests counted this month."),
    remaining: countOrNull("Requests remaining this month. Null: unlimited."),
    resets_at: text("When the next month starts."),
    retention_hours: { type: "number", description: "Hours that files are kept after their job has ended." },
  },
  ["plan", "limit", "used", "remaining", "resets_at", "retention_hours"],
);
