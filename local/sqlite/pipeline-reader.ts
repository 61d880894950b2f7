import type { Job } from "../../functions/domain/jobs/job.ts";
import type { Pipeline, PipelineJobs } from "../../functions/domain/pipelines/pipeline.ts";
import type { Database } from "./database.ts";
import { type Row, textOf } from "./rows.ts";

/** Reads pipelines, inside and outside of another store's transaction. */
export const pipelineReader = (database: Database) => {
  const get = database.prepare("SELECT body FROM pipelines WHERE id = ?");
  return { get: (id: string): Pipeline | undefined => pipelineOf(get.get(id)) };
};

/** @returns the jobs of the pipeline that exist */
export const jobsOfPipeline = (
  { steps }: Pick<Pipeline, "steps">,
  get: (id: string) => Job | undefined,
): PipelineJobs =>
  new Map(
    steps.flatMap(({ jobId }) => {
      const job = get(jobId);
      return job === undefined ? [] : [[jobId, job] as const];
    }),
  );

/** @returns the pipeline in the row */
export const pipelineOf = (row: Row | undefined): Pipeline | undefined =>
  row && (JSON.parse(textOf(row, "body")) as Pipeline);
