import type { LoggedRequest } from "../api.ts";
import { choiceOf, countOf } from "./arguments.ts";
import { UsageError } from "./exit.ts";
import type { Run } from "./run.ts";
import { clientFor } from "./settings.ts";
import { PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX, print, table } from "./show.ts";
import { commandTable } from "./table/table.ts";

/** Shows the request log of the account, or one request with the body of its response. */
export const showRequests = async (run: Run): Promise<void> => {
  const [id, ...more] = run.args.words;
  if (more.length > 0) {
    throw new UsageError("Only one request can be shown. Use `anyform requests REQUEST`.");
  }
  await (id === undefined ? listRequests(run) : showRequest(run, id));
};

const listRequests = async ({ args }: Run): Promise<void> => {
  const list = await (await clientFor({ key: "required" })).requests.list({
    limit: countOf("limit", args.text("limit"), { max: PAGE_ITEMS_MAX, start: PAGE_ITEMS_DEFAULT }),
    statusClass: choiceOf("status", args.text("status"), commandTable.requests.options.status.choices),
    errorCode: args.text("error"),
    operation: args.text("operation"),
    keyId: args.text("key-id"),
    requestId: args.text("request-id"),
    jobId: args.text("job"),
    createdAfter: args.text("since"),
    createdBefore: args.text("before"),
  });
  if (args.flag("json")) {
    print(list);
    return;
  }
  table(list.requests.map(requestRow));
};

const requestRow = (request: LoggedRequest): string[] => [
  request.id,
  request.created_at,
  String(request.status),
  `${request.method} ${request.path}`,
  request.error_code ?? "",
  `${request.duration_ms} ms`,
];

const showRequest = async ({ args }: Run, id: string): Promise<void> => {
  const request = await (await clientFor({ key: "required" })).requests.get(id);
  if (args.flag("json")) {
    print(request);
    return;
  }
  const { body, body_truncated: isTruncated, ...fields } = request;
  table(Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]));
  if (body !== null) {
    console.log(`\n${body}${isTruncated ? "\n(truncated)" : ""}`);
  }
};
