import * as z from "zod/mini";
import { RequestError } from "../domain/errors.ts";
import { jobView } from "../domain/jobs.ts";
import { http, type Operation } from "./http.ts";
import { nextLink, pageOf } from "./pages.ts";
import type { ApiRequest } from "./request.ts";

const statuses = z.enum(["queued", "processing", "completed", "failed", "cancelled"]);

/** Lists the account's jobs, the newest first. */
export const listJobs: Operation = (context) => async (request) => {
  const status = statusOf(request);
  const query = { accountId: request.accountId, ...pageOf(request, "job_"), ...(status && { status }) };
  const { items, next } = await context.jobs.listJobs(query);
  return {
    status: 200,
    headers: nextLink(request, next),
    body: { jobs: items.map((job) => jobView(job, request.baseUrl, request.now)), next: next ?? null },
  };
};

export const handler = http("listJobs", listJobs);

const statusOf = ({ query }: ApiRequest<unknown>): z.infer<typeof statuses> | undefined => {
  if (query.status === undefined) {
    return undefined;
  }
  const result = statuses.safeParse(query.status);
  if (!result.success) {
    const detail = `A status is one of ${statuses.options.join(", ")}.`;
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: "/status", code: "invalid", detail }] });
  }
  return result.data;
};
