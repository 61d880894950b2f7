import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { RequestError } from "../functions/domain/errors.ts";
import type { Metrics } from "../functions/domain/metrics.ts";
import type { Admission } from "../functions/domain/ports.ts";
import { problemView } from "../functions/domain/problem.ts";
import { writeNewFile } from "./file-bytes.ts";
import { fileError } from "./file-errors.ts";
import type { PutGrant } from "./signed-puts.ts";

/** One request that puts bytes to a signed URL. */
export interface PutExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly baseUrl: string;
}

/** Where the bytes lie while they arrive, and where they belong. */
export interface PutPlaces {
  readonly temporary: string;
  readonly target: string;
}

/** What the store does for a file that is put. */
export interface PutStore {
  placesOf(grant: PutGrant): PutPlaces;
  readonly room: Admission["file"];
  readonly metrics: Metrics;
}

/**
 * Takes a file, or a part of one, as S3 does: whole, of just the bytes that were signed, or not at all. Resolves when
 * the answer is out.
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
    refuse(exchange, fileError(store.metrics, error, "The bytes could not be kept."));
  }
};

const granted = (grant: PutGrant | "invalid" | "expired"): PutGrant => {
  if (grant === "invalid") {
    throw new RequestError("not_found", "Nothing can be put to this URL. It may have been cut or changed.");
  }
  if (grant === "expired") {
    throw new RequestError(
      "expired",
      "This URL has expired. GET /api/v1/upload/{id} gives a new one while the upload lasts.",
    );
  }
  return grant;
};

const take = async (request: IncomingMessage, grant: PutGrant, { placesOf, room }: PutStore): Promise<string> => {
  const said = Number(request.headers["content-length"] ?? grant.bytes);
  if (said !== grant.bytes) {
    throw new RequestError("invalid_request", `This URL takes ${grant.bytes} bytes, and ${said} were announced.`);
  }
  const { temporary, target } = placesOf(grant);
  const giveBack = room(grant.key, grant.bytes);
  try {
    const { bytes, sha256 } = await writeNewFile(temporary, unbroken(request), grant.bytes);
    if (bytes !== grant.bytes || (grant.sha256 !== "" && sha256 !== grant.sha256)) {
      throw new RequestError(
        "invalid_request",
        bytes === grant.bytes
          ? "The bytes have another SHA-256 than was said."
          : `This URL takes ${grant.bytes} bytes, and ${bytes} came.`,
      );
    }
    renameSync(temporary, target);
    return sha256;
  } finally {
    giveBack();
    await rm(temporary, { force: true });
  }
};

/** A client that hangs up in the middle has sent a bad request; it is no trouble of ours. */
const unbroken = async function* (request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new RequestError("invalid_request", "The body broke off before its end.");
  }
};

const refuse = ({ request, response, baseUrl }: PutExchange, error: RequestError): void => {
  if (response.destroyed) {
    return;
  }
  const body = problemView({ baseUrl, path: "/files", requestId: randomUUID() }, error);
  // What is left of the body is not read, so the connection cannot be used again.
  const headers = {
    ...error.extra.headers,
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...(!request.complete && { connection: "close" }),
  };
  response.writeHead(body.status, headers).end(JSON.stringify(body));
};
