import { pipelineView } from "../../domain/pipelines/pipeline.ts";
import { cancelsOnly } from "../jobs/cancel-unfinished.ts";
import { example, operation } from "../operation.ts";
import { keyed } from "../permissions.ts";
import { cancelUnfinishedPipeline } from "./cancel-unfinished-pipeline.ts";

/** Cancels the unfinished steps of a pipeline. A pipeline that has ended is returned unchanged. */
export const cancelPipeline = operation({
  id: "cancelPipeline",
  methods: ["POST"],
  path: "/api/v1/pipelines/{id}/cancel",
  auth: "key",
  scope: "convert",
  permissions: { tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] }, only: cancelsOnly },
  tag: "Pipelines",
  summary: "Cancel a pipeline",
  description:
    "Cancels all steps that have not ended, within a second. Results of ended steps can still be downloaded. A pipeline that has already ended is returned unchanged. Safe to call again.",
  parameters: ["pipelineId"],
  answers: {
    200: { description: "The pipeline, which has ended.", examples: ["pipelineCancelled", "pipelineCompleted"] },
  },
  errors: ["not_found"],
  examples: ({ baseUrl, now, pipelines: { pipeline, cancelled } }) => ({
    pipelineCancelled: example("Pipeline", "A cancelled pipeline", pipelineView(pipeline, cancelled, { baseUrl, now })),
  }),
  run: (context) => async (request) => {
    const { pipeline, jobs } = await cancelUnfinishedPipeline(context, request);
    return { status: 200, body: pipelineView(pipeline, jobs, { baseUrl: request.baseUrl, now: context.clock() }) };
  },
});
