import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { id, next, orNull, text, time } from "../fields.ts";
import { jobErrorSchema, resultSchema } from "../jobs/job-views.ts";
import { operationNames } from "./operations.ts";

/** Pipelines and presets as the API returns them: see uploads/upload-views.ts. */

const progress = (description: string) => described(z.int().check(z.minimum(0), z.maximum(100)), description);

const stepSchema = described(
  z.strictObject({
    name: text("Name of the step."),
    operation: described(z.enum(operationNames), "The operation."),
    from: described(z.array(z.string()), "Names of the inputs and steps that it reads."),
    job_id: id("job", "ID of its job."),
    status: described(
      z.enum(["waiting", "queued", "processing", "completed", "failed", "cancelled", "expired"]),
      "`waiting` for the results of other steps, then the status of its job.",
    ),
    progress: progress("Progress in percent."),
    is_result: described(z.boolean(), "Whether its result is offered for download, and counted as one request."),
    target_format: orNull(text("ID of the format of its result. Null once the job is deleted.")),
    error: orNull(jobErrorSchema),
  }),
  "A step of a pipeline.",
);

export const pipelineSchema = described(
  z.strictObject({
    id: id("pip", "Pipeline ID."),
    status: described(
      z.enum(["queued", "processing", "completed", "failed", "cancelled", "expired"]),
      "`queued`, `processing`, then `completed`, `failed` if any step failed, or `cancelled`. `expired` once the results of a completed pipeline are deleted.",
    ),
    progress: progress("Progress of all steps in percent."),
    inputs: described(z.record(z.string(), z.string()), "Upload IDs by the names of the inputs."),
    steps: described(z.array(stepSchema), "The steps, each after the steps that it reads."),
    results: described(
      z.array(z.extend(resultSchema, { step: text("The step that made the file.") })),
      "The results that can be downloaded so far.",
    ),
    metadata: described(z.record(z.string(), z.string()), "The metadata of the request."),
    created_at: time("When the pipeline was accepted."),
    finished_at: orNull(time("When the last step ended.")),
  }),
  "Conversions that read each other's results.",
);

export const pipelineListSchema = described(
  z.strictObject({ pipelines: described(z.array(pipelineSchema), "Pipelines, newest first."), next: next() }),
  "A page of pipelines.",
);

export const presetSchema = described(
  z.strictObject({
    name: text("Name of the preset."),
    target_format: orNull(text("The target format of conversions that do not set one.")),
    options: described(z.record(z.string(), z.unknown()), "Options. Those of a request take precedence."),
    steps: orNull(described(z.array(z.record(z.string(), z.unknown())), "The steps of conversions with this preset.")),
    updated_at: time("When the preset was saved."),
  }),
  "Saved settings of conversions.",
);

export const presetListSchema = described(
  z.strictObject({ presets: described(z.array(presetSchema), "The presets, by name.") }),
  "The presets of the account.",
);

export type PipelineView = z.infer<typeof pipelineSchema>;
export type PresetView = z.infer<typeof presetSchema>;
