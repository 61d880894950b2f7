import { jobsOf, pipelineView } from "../../domain/pipelines/pipeline.ts";
import { nextLink, pageOf } from "../middleware/pages.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";

/** Lists the account's pipelines, newest first. */
export const listPipelines = operation({
  id: "listPipelines",
  methods: ["GET"],
  path: "/api/v1/pipelines",
  auth: "key",
  scope: "read",
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly, index: "by-account" },
  tag: "Pipelines",
  summary: "List pipelines",
  description:
    "Lists the pipelines of the last 30 days, newest first. Follow `next` or the `Link` header for the next page. `listJobs` lists the jobs of their results, and of no other steps.",
  parameters: ["limit", "after"],
  answers: { 200: { description: "A page of pipelines.", examples: ["pipelineList"], headers: ["Link"] } },
  errors: ["invalid_request"],
  examples: ({ baseUrl, now, pipelines: { pipeline, completed } }) => ({
    pipelineList: example("PipelineList", "The last page", {
      pipelines: [pipelineView(pipeline, completed, { baseUrl, now })],
      next: null,
    }),
  }),
  run: (context) => async (request) => {
    const { accountId, baseUrl, now } = request;
    const { items, next } = await context.pipelines.listPipelines({ accountId, ...pageOf(request, "pip_") });
    const pipelines = [];
    for (const pipeline of items) {
      pipelines.push(pipelineView(pipeline, await jobsOf(pipeline, context.jobs.getJob), { baseUrl, now }));
    }
    return { status: 200, headers: nextLink(request, next), body: { pipelines, next: next ?? null } };
  },
});
