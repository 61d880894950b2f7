import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { finished } from "node:stream/promises";
import send from "send";
import { attachment } from "../functions/domain/content-disposition.ts";
import { RequestError } from "../functions/domain/errors.ts";
import type { Metrics } from "../functions/domain/metrics.ts";
import { problemView } from "../functions/domain/problem.ts";
import { fileError } from "./file-errors.ts";
import type { SignedFile } from "./signed-urls.ts";

/** One request for a signed URL. */
export interface FileExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly baseUrl: string;
  readonly metrics: Metrics;
}

/** A signed file, and where it lies. */
export type PlacedFile = SignedFile & { readonly path: string };

/** Answers with the file, or with why it is not given. Resolves when the answer is out, or its client is gone. */
export const serveFile = async (exchange: FileExchange, file: PlacedFile | "invalid" | "expired"): Promise<void> => {
  const { request, response } = exchange;
  if (request.method !== "GET" && request.method !== "HEAD") {
    const allow = { headers: { allow: "GET, HEAD" } };
    refuse(exchange, new RequestError("method_not_allowed", "Files are read with GET and HEAD.", allow));
  } else if (file === "invalid") {
    refuse(exchange, new RequestError("not_found", "No file has this URL. It may have been cut or changed."));
  } else if (file === "expired") {
    refuse(exchange, expired());
  } else {
    sendFile(exchange, file);
  }
  await finished(response).catch((error: NodeJS.ErrnoException) => {
    // A client may hang up whenever it likes.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") {
      throw error;
    }
  });
};

/** Ranges and preconditions are the library's; it makes weak entity tags only, so the tag is set here. */
const sendFile = (exchange: FileExchange, file: PlacedFile): void => {
  const { request, response } = exchange;
  // The library gives a client that says `no-cache`, as every `fetch` with a precondition does, the whole file again;
  // that word is for caches (RFC 9111, 5.2.1.4), and here is the origin.
  delete request.headers["cache-control"];
  send(request, basename(file.path), { root: dirname(file.path), index: false, cacheControl: false })
    .on("headers", (_: ServerResponse, __: string, stats: Stats) => {
      response.setHeader("content-type", file.mediaType);
      response.setHeader("content-disposition", attachment(file.filename));
      response.setHeader("etag", entityTag(stats));
      response.setHeader("cache-control", "private, no-store");
      // What a file holds is a stranger's: it must not run as a page of this host.
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("content-security-policy", "sandbox; default-src 'none'");
    })
    .on("directory", () => refuse(exchange, expired()))
    .on("error", (error: Error & { readonly status?: number }) => answerError(exchange, error))
    .pipe(response);
};

const answerError = (exchange: FileExchange, error: Error & { readonly status?: number }): void => {
  const { response, metrics } = exchange;
  const { status } = error;
  if (response.headersSent) {
    // The status is out already: only a broken connection can still tell the client.
    response.destroy();
    return;
  }
  if (status === 404) {
    refuse(exchange, expired());
    return;
  }
  if (status === 412 || status === 416) {
    // The library leaves `Content-Range` with the size of the file; nothing else of the file belongs to these.
    clearHeaders(response, ["content-range"]);
    response.writeHead(status, { "content-length": 0 }).end();
    return;
  }
  refuse(exchange, fileError(metrics, error, "The file could not be read."));
};

/** A key is written once, so a file that has this place, size and time is the same file. */
const entityTag = ({ ino, size, mtimeMs }: Stats): string =>
  `"${[ino, size, Math.floor(mtimeMs)].map((number) => number.toString(36)).join("-")}"`;

/** A file that a good signature names was here. */
const expired = (): RequestError =>
  new RequestError(
    "expired",
    "This URL has expired. GET /api/v1/download/{token} gives a new one while the file lasts.",
  );

const refuse = ({ response, baseUrl }: FileExchange, error: RequestError): void => {
  const body = problemView({ baseUrl, path: "/files", requestId: randomUUID() }, error);
  clearHeaders(response);
  const headers = { "content-type": "application/problem+json", "cache-control": "no-store", ...error.extra.headers };
  response.writeHead(body.status, headers).end(JSON.stringify(body));
};

const clearHeaders = (response: ServerResponse, kept: readonly string[] = []): void => {
  for (const name of response.getHeaderNames().filter((header) => !kept.includes(header))) {
    response.removeHeader(name);
  }
};
