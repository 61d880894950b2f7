import { pipelineView } from "../../domain/pipelines/pipeline.ts";
import { cancelsOnly } from "../jobs/cancel-unfinished.ts";
import { operation } from "../operation.ts";
import { keyed } from "../permissions.ts";
import { cancelUnfinishedPipeline } from "./cancel-unfinished-pipeline.ts";

/** Deletes an ended pipeline with its jobs and results immediately. An unfinished pipeline is cancelled. */
export const deletePipeline = operation({
  id: "deletePipeline",
  methods: ["DELETE"],
  path: "/api/v1/pipelines/{id}",
  auth: "key",
  scope: "convert",
  permissions: {
    tables: { ...keyed, jobs: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: cancelsOnly,
    files: { results: ["DeleteObject"] },
  },
  tag: "Pipelines",
  summary: "Delete a pipeline",
  description:
    "Deletes an ended pipeline with its jobs and results immediately. Its uploads are kept until they expire. A pipeline that has not ended is cancelled instead.",
  parameters: ["pipelineId"],
  answers: {
    200: { description: "The pipeline was cancelled.", examples: ["pipelineCancelled"] },
    204: { description: "The pipeline was deleted." },
  },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const { pipeline, jobs, wasCancelled } = await cancelUnfinishedPipeline(context, request);
    if (wasCancelled) {
      return { status: 200, body: pipelineView(pipeline, jobs, { baseUrl: request.baseUrl, now: context.clock() }) };
    }
    // The record is deleted last, so that an interrupted request can be repeated.
    await context.files.remove([...jobs.values()].flatMap(({ result }) => result?.key ?? []));
    for (const id of jobs.keys()) {
      await context.jobs.eraseJob(id);
    }
    await context.pipelines.erasePipeline(pipeline.id);
    return { status: 204 };
  },
});
