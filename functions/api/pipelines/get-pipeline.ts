import { hasEnded, pipelineView } from "../../domain/pipelines/pipeline.ts";
import { waitMilliseconds } from "../middleware/wait.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { requirePipeline } from "./require-pipeline.ts";
import { waitForPipeline } from "./wait-for-pipeline.ts";

/** Returns a pipeline with its steps and results. With `Prefer: wait`, responds when it has ended. */
export const getPipeline = operation({
  id: "getPipeline",
  methods: ["GET"],
  path: "/api/v1/pipelines/{id}",
  auth: "key",
  scope: "read",
  timeoutSeconds: 29,
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly },
  tag: "Pipelines",
  summary: "Retrieve a pipeline",
  description:
    "Returns the status of a pipeline and of each step, and the results that can be downloaded so far. With `wait` the response is sent when the pipeline has ended.",
  parameters: ["pipelineId", "wait", "prefer"],
  answers: {
    200: {
      description: "The pipeline.",
      examples: ["pipelineCompleted", "pipelineQueued", "pipelineFailed"],
      headers: ["Retry-After"],
    },
  },
  errors: ["invalid_request", "not_found"],
  examples: ({ baseUrl, now, pipelines: { pipeline, failed } }) => ({
    pipelineFailed: example("Pipeline", "A failed pipeline", pipelineView(pipeline, failed, { baseUrl, now })),
  }),
  run: (context) => async (request) => {
    const milliseconds = waitMilliseconds(request);
    const read = await requirePipeline(context, request);
    const { pipeline, jobs } = await waitForPipeline(context, read, milliseconds);
    return {
      status: 200,
      headers: { "cache-control": "private, no-cache", ...(!hasEnded(pipeline, jobs) && { "retry-after": "1" }) },
      body: pipelineView(pipeline, jobs, { baseUrl: request.baseUrl, now: context.clock() }),
    };
  },
});
