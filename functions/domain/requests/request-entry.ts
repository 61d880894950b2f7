import { newId, type RandomBytes } from "../ids.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { loggedBody, withoutSecrets } from "./redaction.ts";

/** A request with its response, as far as the log needs them. */
export interface LoggedExchange {
  readonly accountId: string;
  readonly keyId?: string | undefined;
  /** When the request arrived, milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** The parameter `id` of the path. */
  readonly targetId?: string | undefined;
  readonly status: number;
  /** The JSON body of the response. */
  readonly body?: unknown;
  /** The header `X-Job-Id` of the response. */
  readonly job?: string | undefined;
  readonly durationMs: number;
  readonly bytesIn?: number | undefined;
  readonly bytesOut?: number | undefined;
}

/** The log's own operations: their bodies contain bodies. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(["listRequests", "getRequest"]);

const FAILED = 400;

/** @returns the log entry of a request, without secrets */
export const requestEntry = (exchange: LoggedExchange, random: RandomBytes): LoggedRequest => {
  const { accountId, keyId, at, requestId, operation, method, status, body, durationMs, bytesIn, bytesOut } = exchange;
  const code = status >= FAILED ? textIn(body, "code") : undefined;
  const jobId = jobOf(exchange);
  const isShown = body !== undefined && !(status < FAILED && WITHOUT_BODY.has(operation));
  return {
    id: newId("request", at, random),
    accountId,
    at,
    requestId,
    ...(keyId !== undefined && { keyId }),
    operation,
    method,
    path: withoutSecrets(exchange.path),
    status,
    ...(code !== undefined && { code }),
    durationMs,
    ...(bytesIn !== undefined && { bytesIn }),
    ...(bytesOut !== undefined && { bytesOut }),
    ...(jobId !== undefined && { jobId }),
    ...(isShown && { body: loggedBody(body) }),
  };
};

const jobOf = ({ body, job, targetId }: LoggedExchange): string | undefined =>
  [targetId, job, textIn(body, "id"), textIn(body, "job_id")].find((id) => id?.startsWith("job_"));

const textIn = (body: unknown, name: string): string | undefined => {
  const value = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === "string" ? value : undefined;
};

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Requests with a key are all logged. Those of a session are logged if they change something or fail: the pages of the
 * dashboard read a lot. Not that of deleting the account, with which its log is deleted.
 */
export const isLogged = ({
  keyId,
  method,
  status,
  operation,
}: Pick<LoggedExchange, "keyId" | "method" | "operation" | "status">): boolean =>
  keyId !== undefined || status >= FAILED || (!SAFE_METHODS.has(method) && operation !== "deleteAccount");
