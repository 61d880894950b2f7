import { RequestError } from "../../domain/errors.ts";
import { requestDetailView } from "../../domain/requests/request-views.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";

/** Returns a request of the log, with the body of its response. */
export const getRequest = operation({
  id: "getRequest",
  methods: ["GET"],
  path: "/api/v1/requests/{id}",
  auth: "key",
  scope: "read",
  permissions: { tables: { ...keyed, quotas: ["GetItem", "UpdateItem"] }, only: useOnly },
  tag: "Requests",
  summary: "Retrieve a request",
  description:
    "Returns a request of the log with the JSON body of its response: without secrets such as keys, tokens and signed URLs, and at most 4 KB. On AWS, bodies of successful responses are cut to about 500 bytes.",
  parameters: ["logEntryId"],
  answers: { 200: { description: "The request.", examples: ["requestDetail"] } },
  errors: ["not_found"],
  examples: ({ loggedRequest }) => ({
    requestDetail: example("RequestDetail", "A refused request", requestDetailView(loggedRequest)),
  }),
  run: (context) => async (request) => {
    const { accountId, now } = request;
    const id = param(request, "id");
    const entry = ID.test(id) ? await context.requestLog?.get(accountId, id, now) : undefined;
    if (entry === undefined) {
      throw new RequestError("not_found", `There is no request ${id.slice(0, 64)} in the log.`);
    }
    return { status: 200, body: requestDetailView(entry) };
  },
});

/** Other keys of the table are not requests. */
const ID = /^req_[0-9A-Za-z]{1,40}$/;
