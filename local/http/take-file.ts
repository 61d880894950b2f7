import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { problemView } from "../../functions/domain/errors/problem.ts";
import { RequestError } from "../../functions/domain/errors.ts";
import type { Admission } from "../../functions/domain/gateway-ports.ts";
import type { Metrics } from "../../functions/domain/metrics.ts";
import { writeNewFile } from "../files/file-bytes.ts";
import type { MoveFile } from "../files/folder-sync.ts";
import { fileError } from "./file-errors.ts";
import type { PutGrant } from "./signed-puts.ts";

/** A PUT request to a signed URL. */
export interface PutExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The temporary path during the transfer, and the final path. */
export interface PutPlaces {
  readonly temporary: string;
  readonly target: string;
}

/** The functions of the store that a PUT request needs. */
export interface PutStore {
  placesOf(grant: PutGrant): PutPlaces;
  readonly move: MoveFile;
  readonly room: Admission["file"];
  readonly metrics: Metrics;
}

/**
 * Receives a file or a part of one, as S3 does: completely, with exactly the signed number of bytes, or not at all.
 * Resolves when the response has been sent.
 */
export const takeFile = async (
  exchange: PutExchange,
  grant: PutGrant | "invalid" | "expired",
  store: PutStore,
): Promise<void> => {
  const { response } = exchange;
  try {
    const sha256 = await take(exchange.request, granted(grant), store);
    response.writeHead(200, { etag: `"${sha256}"`, "content-length": 0, "cache-control": "no-store" }).end();
  } catch (error) {
    refuse(exchange, fileError(store.metrics, error, "The file could not be stored."));
  }
};

const granted = (grant: PutGrant | "invalid" | "expired"): PutGrant => {
  if (grant === "invalid") {
    throw new RequestError("not_found", "Invalid upload URL. It may have been truncated or changed.");
  }
  if (grant === "expired") {
    throw new RequestError(
      "expired",
      "This URL has expired. GET /api/v1/upload/{id} returns a new one until the upload expires.",
    );
  }
  return grant;
};

const take = async (request: IncomingMessage, grant: PutGrant, { placesOf, move, room }: PutStore): Promise<string> => {
  const declared = Number(request.headers["content-length"] ?? grant.bytes);
  if (declared !== grant.bytes) {
    throw new RequestError(
      "invalid_request",
      `Content-Length is ${declared} bytes, but this URL expects ${grant.bytes}.`,
    );
  }
  const { temporary, target } = placesOf(grant);
  const release = room(grant.key, grant.bytes);
  try {
    const { bytes, sha256 } = await writeNewFile(temporary, complete(request), grant.bytes);
    if (bytes !== grant.bytes || (grant.sha256 !== "" && sha256 !== grant.sha256)) {
      throw new RequestError(
        "invalid_request",
        bytes === grant.bytes
          ? "The SHA-256 does not match the declared value."
          : `The body has ${bytes} bytes, but this URL expects ${grant.bytes}.`,
      );
    }
    await move(temporary, target);
    return sha256;
  } finally {
    release();
    await rm(temporary, { force: true });
  }
};

/** A client that disconnects mid-request has sent a bad request; it is not an internal error. */
const complete = async function* (request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new RequestError("invalid_request", "The body is truncated.");
  }
};

const refuse = ({ request, response }: PutExchange, error: RequestError): void => {
  if (response.destroyed) {
    return;
  }
  const body = problemView({ path: "/files", requestId: randomUUID() }, error);
  // The rest of the body is not read, so the connection cannot be reused.
  const headers = {
    ...error.extra.headers,
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...(!request.complete && { connection: "close" }),
  };
  response.writeHead(body.status, headers).end(JSON.stringify(body));
};
