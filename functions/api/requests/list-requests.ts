import { requestView } from "../../domain/requests/request-views.ts";
import { nextLink, pageOf } from "../middleware/pages.ts";
import { example, operation } from "../operation.ts";
import { metered, useOnly } from "../permissions.ts";
import { REQUEST_FILTERS, requestFilterOf } from "./request-query.ts";

/** Lists the requests of the account, newest first. */
export const listRequests = operation({
  id: "listRequests",
  methods: ["GET"],
  path: "/api/v1/requests",
  auth: "key",
  scope: "read",
  permissions: { tables: metered, only: useOnly },
  tag: "Requests",
  summary: "List requests",
  description:
    "Lists the requests of the last 30 days, newest first, also those that were refused after their API key was found: with a revoked key, a missing scope, or above a limit. Requests of the dashboard are logged if they change something or fail. Follow `next` or the `Link` header for the next page. Filters can be combined. One request searches a limited number of entries, so with a filter a page can have fewer than `limit`, or none, while `next` is set.",
  parameters: ["limit", "after", ...REQUEST_FILTERS],
  answers: { 200: { description: "A page of requests.", examples: ["requestList"], headers: ["Link"] } },
  errors: ["invalid_request"],
  examples: ({ loggedRequest }) => ({
    requestList: example("RequestList", "A refused request", { requests: [requestView(loggedRequest)], next: null }),
  }),
  run: (context) => async (request) => {
    const { accountId, now } = request;
    const query = { accountId, now, ...pageOf(request, "req_"), ...requestFilterOf(request) };
    const { items, next } = (await context.requestLog?.list(query)) ?? { items: [], next: undefined };
    return {
      status: 200,
      headers: nextLink(request, next),
      body: { requests: items.map(requestView), next: next ?? null },
    };
  },
});
