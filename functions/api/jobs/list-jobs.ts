import * as z from "zod/mini";
import { RequestError } from "../../domain/errors.ts";
import { jobView } from "../../domain/jobs/job.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import { nextLink, pageOf } from "../middleware/pages.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";

const statuses = z.enum(["queued", "processing", "completed", "failed", "cancelled"]);

/** Lists the account's jobs, newest first. */
export const listJobs = operation({
  id: "listJobs",
  methods: ["GET"],
  path: "/api/v1/convert",
  auth: "key",
  scope: "read",
  permissions: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly, index: "by-account" },
  tag: "Conversions",
  summary: "List jobs",
  description:
    "Lists the jobs of the last 30 days, newest first. Follow `next` or the `Link` header for the next page.",
  parameters: ["limit", "after", "status"],
  answers: { 200: { description: "A page of jobs.", examples: ["jobList"], headers: ["Link"] } },
  errors: ["invalid_request"],
  examples: ({ baseUrl, now, jobs }) => ({
    jobList: example("JobList", "The last page", { jobs: [jobView(jobs.completed, baseUrl, now)], next: null }),
  }),
  run: (context) => async (request) => {
    const status = statusOf(request);
    const query = { accountId: request.accountId, ...pageOf(request, "job_"), ...(status && { status }) };
    const { items, next } = await context.jobs.listJobs(query);
    return {
      status: 200,
      headers: nextLink(request, next),
      body: { jobs: items.map((job) => jobView(job, request.baseUrl, request.now)), next: next ?? null },
    };
  },
});

const statusOf = ({ query }: ApiRequest<unknown>): z.infer<typeof statuses> | undefined => {
  if (query.status === undefined) {
    return undefined;
  }
  const result = statuses.safeParse(query.status);
  if (!result.success) {
    const near = suggestion(query.status, statuses.options);
    const detail = `\`status\` must be one of ${statuses.options.join(", ")}.${near}`;
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: "/status", code: "invalid", detail }] });
  }
  return result.data;
};
