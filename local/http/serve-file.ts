import { randomUUID } from "node:crypto";
import { closeSync, constants, readFileSync, type Stats } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { finished } from "node:stream/promises";
import { openPlain } from "../../functions/adapters/plain-file.ts";
import { attachment } from "../../functions/domain/content-disposition.ts";
import { problemView } from "../../functions/domain/errors/problem.ts";
import { RequestError } from "../../functions/domain/errors.ts";
import type { Metrics } from "../../functions/domain/metrics.ts";
import { fileError } from "./file-errors.ts";
import { FILE_BUFFERS_BYTES } from "./limits/waiting-bytes.ts";
import type { SignedFile } from "./signed-urls.ts";

/** A request for a signed URL. */
export interface FileExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly metrics: Metrics;
  /** Whether the file is the response to a request of the API, which may be a POST and has set headers. */
  readonly isResponse: boolean;
}

/** A signed file with its path. */
export type PlacedFile = SignedFile & { readonly path: string };

/** Serves the file, or an error. Resolves when the response has been sent or the client has disconnected. */
export const serveFile = async (exchange: FileExchange, file: PlacedFile | "invalid" | "expired"): Promise<void> => {
  const { request, response } = exchange;
  if (!exchange.isResponse && request.method !== "GET" && request.method !== "HEAD") {
    const allow = { headers: { allow: "GET, HEAD" } };
    const detail = `Method ${request.method} is not allowed for files. Allowed: GET, HEAD.`;
    refuse(exchange, new RequestError("method_not_allowed", detail, allow));
  } else if (file === "invalid") {
    refuse(exchange, new RequestError("not_found", "Invalid download URL. It may have been truncated or changed."));
  } else if (file === "expired") {
    refuse(exchange, expired());
  } else {
    await sendFile(exchange, file);
  }
  await finished(response).catch((error: NodeJS.ErrnoException) => {
    // A client can disconnect at any time.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") {
      throw error;
    }
  });
};

const READ_HEADERS = ["range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];

/** The library handles ranges and preconditions. It only creates weak entity tags, so the tag is set here. */
const sendFile = async (exchange: FileExchange, file: PlacedFile): Promise<void> => {
  const { request, response } = exchange;
  // The library ignores preconditions when the client sends `no-cache`, as every `fetch` with a precondition does. But
  // `no-cache` is meant for caches (RFC 9111, 5.2.1.4), and this is the origin.
  delete request.headers["cache-control"];
  if (request.method !== "GET" && request.method !== "HEAD") {
    // Ranges and preconditions of other methods are not about the file (RFC 9110, 13.1 and 14.2).
    for (const name of READ_HEADERS) {
      delete request.headers[name];
    }
  }
  const isPart = READ_HEADERS.some((name) => request.headers[name] !== undefined);
  const recent = isPart || request.method === "HEAD" ? undefined : recentFile(file.path);
  if (recent !== undefined) {
    setFileHeaders(response, file, recent.stats);
    response.setHeader("accept-ranges", "bytes");
    response.setHeader("last-modified", recent.stats.mtime.toUTCString());
    response.setHeader("content-length", recent.content.length);
    response.end(recent.content);
    return;
  }
  // Loading it takes 30 ms, and most results are recent.
  const { default: send } = await import("send");
  send(request, basename(file.path), { root: dirname(file.path), index: false, cacheControl: false })
    .on("headers", (_: ServerResponse, __: string, stats: Stats) => {
      setFileHeaders(response, file, stats);
    })
    .on("directory", () => refuse(exchange, expired()))
    .on("error", (error: Error & { readonly status?: number }) => answerError(exchange, error))
    .pipe(response);
};

const setFileHeaders = (response: ServerResponse, { mediaType, filename }: PlacedFile, stats: Stats): void => {
  response.setHeader("content-type", mediaType);
  response.setHeader("content-disposition", attachment(filename));
  if (!response.hasHeader("etag")) {
    response.setHeader("etag", entityTag(stats));
  }
  response.setHeader("cache-control", "private, no-store");
  // File content is untrusted: it must not run as a page of this host.
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-security-policy", "sandbox; default-src 'none'");
};

const RECENT_MS = 60_000;

/**
 * Reads a small file at once. Each of the library's system calls wakes a thread of the pool, which takes longer than the
 * call if the file is in the cache of the file system, as one that was written in the last minute is.
 *
 * @returns undefined for other files, and for those that cannot be read
 */
const recentFile = (path: string): { readonly stats: Stats; readonly content: Buffer } | undefined => {
  try {
    const { descriptor, stats } = openPlain(path, constants.O_RDONLY);
    try {
      const isRecent = stats.size <= FILE_BUFFERS_BYTES && Date.now() - stats.mtimeMs < RECENT_MS;
      return isRecent ? { stats, content: readFileSync(descriptor) } : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The library reports the error.
    return undefined;
  }
};

const answerError = (exchange: FileExchange, error: Error & { readonly status?: number }): void => {
  const { response, metrics } = exchange;
  const { status } = error;
  if (response.headersSent) {
    // The status has been sent: only closing the connection can still signal the error.
    response.destroy();
    return;
  }
  if (status === 404) {
    refuse(exchange, expired());
    return;
  }
  if (status === 412 || status === 416) {
    // The library sets `Content-Range` to the size of the file; other headers of the file do not apply.
    clearHeaders(response, ["content-range", ...ACCOUNT_HEADERS]);
    response.writeHead(status, { "content-length": 0 }).end();
    return;
  }
  refuse(exchange, fileError(metrics, error, "The file could not be read."));
};

/** Each key is written once, so a file with the same inode, size and time is the same file. */
const entityTag = ({ ino, size, mtimeMs }: Stats): string =>
  `"${[ino, size, Math.floor(mtimeMs)].map((number) => number.toString(36)).join("-")}"`;

/** A valid signature proves that the file existed. */
const expired = (): RequestError =>
  new RequestError(
    "expired",
    "This URL has expired. GET /api/v1/download/{token} returns a new one until the file expires.",
  );

const refuse = ({ response }: FileExchange, error: RequestError): void => {
  const requestId = String(response.getHeader("x-request-id") ?? randomUUID());
  const body = problemView({ path: "/files", requestId }, error);
  clearHeaders(response, ACCOUNT_HEADERS);
  const headers = { "content-type": "application/problem+json", "cache-control": "no-store", ...error.extra.headers };
  response.writeHead(body.status, headers).end(JSON.stringify(body));
};

/** Headers of the API that describe the request and the account, not the file. */
const ACCOUNT_HEADERS = [
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
];

const clearHeaders = (response: ServerResponse, kept: readonly string[]): void => {
  for (const name of response.getHeaderNames()) {
    if (!kept.includes(name) && !name.startsWith("access-control-")) {
      response.removeHeader(name);
    }
  }
};
