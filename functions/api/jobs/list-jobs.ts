import { jobView } from "../../domain/jobs/job.ts";
import { nextLink, pageOf } from "../middleware/pages.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { FILTERS, filterOf } from "./job-query.ts";

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
    "Lists the jobs of the last 30 days, newest first. Follow `next` or the `Link` header for the next page. Filters can be combined. One request searches a limited number of jobs, so with a filter a page can have fewer jobs than `limit`, or none, while `next` is set.",
  parameters: ["limit", "after", ...FILTERS],
  answers: { 200: { description: "A page of jobs.", examples: ["jobList"], headers: ["Link"] } },
  errors: ["invalid_request"],
  examples: ({ baseUrl, now, jobs }) => ({
    jobList: example("JobList", "The last page", { jobs: [jobView(jobs.completed, baseUrl, now)], next: null }),
  }),
  run: (context) => async (request) => {
    const { accountId, now } = request;
    const query = { accountId, now, ...pageOf(request, "job_"), ...filterOf(request) };
    const { items, next } = await context.jobs.listJobs(query);
    return {
      status: 200,
      headers: nextLink(request, next),
      body: { jobs: items.map((job) => jobView(job, request.baseUrl, request.now)), next: next ?? null },
    };
  },
});
