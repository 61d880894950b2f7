import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { jobErrors } from "../errors/job-errors.ts";
import { problemSchema } from "../errors/problem-view.ts";
import { jobExportSchema } from "../exports/export-views.ts";
import { count, failure, fidelity, id, next, orNull, sha256, text, time } from "../fields.ts";

/** Jobs and their results as the API returns them: see uploads/upload-views.ts. */

export const resultSchema = described(
  z.strictObject({
    filename: text("The filename of the result."),
    size: count("Size in bytes."),
    media_type: text("The media type. `application/zip` when one file became several."),
    sha256: sha256(),
    download_token: id("dl", "The token for `downloadResult`. Keep it secret."),
    download_url: text("The URL of `downloadResult` with this token."),
    expires_at: time("When the file is deleted."),
  }),
  "The file that a job produced.",
);

export const jobErrorSchema = failure(jobErrors, "Why a job failed.");

export const jobSchema = described(
  z.strictObject({
    id: id("job", "Job ID."),
    status: described(
      z.enum(["queued", "processing", "completed", "failed", "cancelled", "expired"]),
      "`queued`, `processing`, then `completed`, `failed` or `cancelled`. `expired` once the file of a completed job is deleted.",
    ),
    progress: described(z.int().check(z.minimum(0), z.maximum(100)), "Progress in percent."),
    upload_id: id(
      "upl",
      "ID of the source upload. For a merge, the first one. The file of a small conversion in one call may not be kept as an upload.",
    ),
    upload_ids: described(z.array(id("upl", "Upload ID.")), "IDs of all source uploads, in the order of a merge."),
    source_filename: orNull(text("The filename of the source upload. For a merge, of the first one.")),
    source_format: text("ID of the source format."),
    target_format: text("ID of the target format, even if the request used an alias."),
    options: described(z.record(z.string(), z.unknown()), "The options of the request, without passwords."),
    steps: described(
      z.array(
        z.strictObject({
          engine: text("The engine that runs the step."),
          from: text("ID of the source format."),
          to: text("ID of the target format."),
          duration_ms: orNull(described(z.int(), "Duration in milliseconds. Null until the job is completed.")),
        }),
      ),
      "The steps from source to target.",
    ),
    fidelity: fidelity(),
    metadata: described(z.record(z.string(), z.string()), "The metadata of the request."),
    key_id: orNull(text("ID of the API key that created the job. Null for jobs that were created in the dashboard.")),
    pipeline_id: orNull(id("pip", "ID of the pipeline that the job is a step of.")),
    created_at: time("When the job was accepted."),
    started_at: orNull(time("When the latest attempt started.")),
    finished_at: orNull(time("When the job ended.")),
    expires_at: orNull(time("When the result is deleted.")),
    result: orNull(resultSchema),
    warnings: described(
      z.array(z.strictObject({ code: text("Warning code. Stable."), detail: text("A description of the problem.") })),
      "Problems with an otherwise usable result, and options without effect (`option_without_effect`).",
    ),
    export: orNull(jobExportSchema),
    error: orNull(jobErrorSchema),
  }),
  "A conversion.",
);

export const jobListSchema = described(
  z.strictObject({ jobs: described(z.array(jobSchema), "Jobs, newest first."), next: next() }),
  "A page of jobs.",
);

export const batchSchema = described(
  z.strictObject({
    items: described(
      z.array(
        z.strictObject({
          status: described(z.int(), "The HTTP status that `createJob` would have returned."),
          job: orNull(jobSchema),
          problem: orNull(problemSchema),
        }),
      ),
      "The outcome of each conversion, in the order of the request.",
    ),
  }),
  "The outcome of a batch.",
);

export const downloadSchema = described(
  z.strictObject({
    url: text("The URL of the file. Needs no API key; keep it secret."),
    expires_at: time("When the URL expires."),
    filename: text("The filename of the result."),
    size: count("Size in bytes."),
    sha256: sha256(),
  }),
  "Where to download a result.",
);

export type BatchView = z.infer<typeof batchSchema>;
export type DownloadView = z.infer<typeof downloadSchema>;
export type JobView = z.infer<typeof jobSchema>;
