import type { Scope } from "../domain/keys.ts";
import { BATCH_BODY_BYTES_MAX } from "../domain/limits.ts";

/** THE route table. The stack, the local gateway, the OpenAPI document and the tests are made from it. */
export interface ApiRoute {
  readonly operation: string;
  readonly methods: readonly ("DELETE" | "GET" | "HEAD" | "POST")[];
  /** With `{name}` for a parameter. */
  readonly path: string;
  /** The file in this folder that exports the operation's `handler`. */
  readonly file: string;
  /** Whether an API key is needed. */
  readonly auth: "key" | "none";
  /** What the key must be made for; undefined: any key will do. */
  readonly scope?: Scope;
  /** Whether an accepted request counts towards the monthly quota; HEAD never does. */
  readonly metered: boolean;
  /** Bytes of a JSON body. @default JSON_BODY_BYTES_MAX */
  readonly jsonBytesMax?: number;
  /** Of the Lambda function. 1,769 MB is one whole virtual CPU. */
  readonly memoryMegabytes: number;
  /** Of the Lambda function; HTTP API ends a request at 30. */
  readonly timeoutSeconds: number;
  readonly summary: string;
}

export const MEMORY_MEGABYTES = 512;

export const routes = [
  {
    operation: "createUpload",
    methods: ["POST"],
    path: "/api/v1/upload",
    file: "create-upload",
    auth: "key",
    scope: "upload",
    metered: true,
    memoryMegabytes: 1_024,
    timeoutSeconds: 29,
    summary: "Send a file",
  },
  {
    operation: "getUpload",
    methods: ["GET"],
    path: "/api/v1/upload/{id}",
    file: "get-upload",
    auth: "key",
    scope: "upload",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 29,
    summary: "See how far an upload is",
  },
  {
    operation: "completeUpload",
    methods: ["POST"],
    path: "/api/v1/upload/{id}/complete",
    file: "complete-upload",
    auth: "key",
    scope: "upload",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 29,
    summary: "End an upload whose bytes are sent",
  },
  {
    operation: "createJob",
    methods: ["POST"],
    path: "/api/v1/convert",
    file: "create-job",
    auth: "key",
    scope: "convert",
    metered: true,
    memoryMegabytes: 512,
    timeoutSeconds: 29,
    summary: "Convert an uploaded file",
  },
  {
    operation: "getJob",
    methods: ["GET"],
    path: "/api/v1/convert/{id}/status",
    file: "get-job",
    auth: "key",
    scope: "read",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 29,
    summary: "See how far a conversion is",
  },
  {
    operation: "listJobs",
    methods: ["GET"],
    path: "/api/v1/convert",
    file: "list-jobs",
    auth: "key",
    scope: "read",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "List jobs",
  },
  {
    operation: "createBatch",
    methods: ["POST"],
    path: "/api/v1/convert/batch",
    file: "create-batch",
    auth: "key",
    scope: "convert",
    metered: true,
    jsonBytesMax: BATCH_BODY_BYTES_MAX,
    memoryMegabytes: 1_024,
    timeoutSeconds: 29,
    summary: "Convert many files",
  },
  {
    operation: "deleteJob",
    methods: ["DELETE"],
    path: "/api/v1/convert/{id}",
    file: "delete-job",
    auth: "key",
    scope: "convert",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "Cancel a job, or erase one",
  },
  {
    operation: "downloadResult",
    methods: ["GET", "HEAD"],
    path: "/api/v1/download/{token}",
    file: "download-result",
    auth: "key",
    scope: "download",
    metered: true,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "Download a result",
  },
  {
    operation: "getAccount",
    methods: ["GET"],
    path: "/api/v1/account",
    file: "get-account",
    auth: "key",
    scope: "read",
    metered: false,
    memoryMegabytes: 256,
    timeoutSeconds: 10,
    summary: "See plan and quota",
  },
  {
    operation: "listWebhooks",
    methods: ["GET"],
    path: "/api/v1/webhooks",
    file: "list-webhooks",
    auth: "key",
    scope: "webhooks",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "List messages to webhooks",
  },
  {
    operation: "redeliverWebhook",
    methods: ["POST"],
    path: "/api/v1/webhooks/{id}/redeliver",
    file: "redeliver-webhook",
    auth: "key",
    scope: "webhooks",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "Send a message to a webhook again",
  },
  {
    operation: "getWebhookSecret",
    methods: ["GET"],
    path: "/api/v1/webhooks/secret",
    file: "get-webhook-secret",
    auth: "key",
    scope: "webhooks",
    metered: false,
    memoryMegabytes: 256,
    timeoutSeconds: 10,
    summary: "See what webhooks are signed with",
  },
  {
    operation: "rotateWebhookSecret",
    methods: ["POST"],
    path: "/api/v1/webhooks/secret",
    file: "rotate-webhook-secret",
    auth: "key",
    scope: "webhooks",
    metered: false,
    memoryMegabytes: 256,
    timeoutSeconds: 10,
    summary: "Replace what webhooks are signed with",
  },
  {
    operation: "listFormats",
    methods: ["GET"],
    path: "/api/v1/formats",
    file: "list-formats",
    auth: "none",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "List formats and conversions",
  },
  {
    operation: "getOpenapi",
    methods: ["GET"],
    path: "/api/v1/openapi.json",
    file: "get-openapi",
    auth: "none",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "This interface as an OpenAPI 3.1 document",
  },
  {
    operation: "getDocs",
    methods: ["GET"],
    path: "/api/v1/docs",
    file: "get-docs",
    auth: "none",
    metered: false,
    memoryMegabytes: 256,
    timeoutSeconds: 10,
    summary: "A page to read this interface, and to try it",
  },
  {
    operation: "getDocsFile",
    methods: ["GET"],
    path: "/api/v1/docs/{file}",
    file: "get-docs-file",
    auth: "none",
    metered: false,
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    summary: "A file of that page",
  },
  {
    operation: "getHealth",
    methods: ["GET"],
    path: "/health",
    file: "get-health",
    auth: "none",
    metered: false,
    memoryMegabytes: 256,
    timeoutSeconds: 5,
    summary: "Whether the service answers",
  },
] as const satisfies readonly ApiRoute[];

/** Answers whatever no route serves, so that a wrong path or method gets a problem of ours: API Gateway's `$default`. */
export const fallbackRoute = {
  operation: "fallback",
  methods: [],
  path: "$default",
  file: "fallback",
  auth: "none",
  metered: false,
  memoryMegabytes: 256,
  timeoutSeconds: 5,
  summary: "Answers 404 and 405",
} as const satisfies ApiRoute;

export type OperationId = (typeof routes)[number]["operation"];

/** @returns the row of an operation */
export const routeOf = (operation: OperationId): ApiRoute => {
  const route = routes.find((row) => row.operation === operation);
  if (route === undefined) {
    throw new TypeError(`No route serves ${operation}.`);
  }
  return route;
};

/**
 * @param template a row's path, with `{name}` for a parameter
 * @returns the parameters of a path that fits the template, decoded; undefined when it does not fit, lacks a parameter or
 * has a broken percent-encoding
 */
export const pathParams = (template: string, path: string): Record<string, string> | undefined => {
  const [names, parts] = [template.split("/"), path.split("/")];
  const fits = (name: string, index: number): boolean =>
    name.startsWith("{") ? parts[index] !== "" : name === parts[index];
  if (names.length !== parts.length || !names.every(fits)) {
    return undefined;
  }
  try {
    return Object.fromEntries(
      names.flatMap((name, index) =>
        name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(parts[index] ?? "")]] : [],
      ),
    );
  } catch {
    return undefined;
  }
};
