import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { multipart } from "../api/flow.ts";
import type { Kind } from "./load-profile.ts";

/** Result of one conversion, as seen by the client. */
export type Outcome =
  | { readonly end: "done" }
  /** Rejected with 503, with the seconds of `Retry-After`. */
  | { readonly end: "refused"; readonly retryAfter: number; readonly at: "upload" | "convert" | "else" }
  | { readonly end: "failed"; readonly why: string };

/** Converts like clients do: upload, convert and wait or poll, download. Rejected requests are not retried. */
export type LoadClient = (kind: Kind) => Promise<Outcome>;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly result: { readonly download_token: string } | null;
}

/** Polling interval in milliseconds. */
const POLL_MS = 250;
/** Timeout of a client. */
const PATIENCE_MS = 120_000;

/** Connections of one account. */
const CONNECTIONS = 400;

class Refused extends Error {
  readonly retryAfter: number;
  readonly path: string;
  constructor(retryAfter: number, path: string) {
    super(`${path} answered 503`);
    this.retryAfter = retryAfter;
    this.path = path;
  }
}

export const loadClient = (url: string, key: string): LoadClient => {
  const call = callerAt(url, key);
  const files = new Map<string, Promise<Buffer>>();
  const contentOf = (path: string): Promise<Buffer> => {
    const content = files.get(path) ?? readFile(path);
    files.set(path, content);
    return content;
  };
  const convert = async ({ input, to, polls }: Kind): Promise<void> => {
    const body = multipart(basename(input), await contentOf(input));
    const { upload_id } = parsed<{ upload_id: string }>(await call("/api/v1/upload", { method: "POST", ...body }));
    let job = parsed<Job>(
      await call("/api/v1/convert", {
        method: "POST",
        headers: { "content-type": "application/json", ...(!polls && { prefer: "wait=25" }) },
        body: JSON.stringify({ upload_id, target_format: to }),
      }),
    );
    for (const end = Date.now() + PATIENCE_MS; job.status === "queued" || job.status === "processing"; ) {
      if (Date.now() > end) {
        throw new Error("The job did not end in time.");
      }
      await pause(polls ? POLL_MS : 0);
      job = parsed<Job>(await call(`/api/v1/convert/${job.id}/status${polls ? "" : "?wait=25"}`, { method: "GET" }));
    }
    if (job.result === null) {
      throw new Error(`The job ended with status ${job.status}.`);
    }
    const { location } = await call(`/api/v1/download/${job.result.download_token}`, { method: "GET" });
    if (location !== "") {
      await call(location, { method: "GET" });
    }
  };
  return async (kind) => {
    try {
      await convert(kind);
      return { end: "done" };
    } catch (error) {
      return outcomeOf(error);
    }
  };
};

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof Refused) {
    const at = error.path === "/api/v1/upload" ? "upload" : error.path === "/api/v1/convert" ? "convert" : "else";
    return { end: "refused", retryAfter: error.retryAfter, at };
  }
  return { end: "failed", why: error instanceof Error ? error.message : String(error) };
};

interface Call {
  readonly method: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

interface Reply {
  readonly body: Buffer;
  readonly location: string;
}

const callerAt = (url: string, key: string) => {
  const dispatcher = new Agent({ connections: CONNECTIONS });
  return async (path: string, { method, headers, body = "" }: Call): Promise<Reply> => {
    const own = { authorization: `Bearer ${key}`, ...headers };
    const content = method === "POST" ? { body } : {};
    const reply = await request(new URL(path, url), { dispatcher, method, headers: own, ...content });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode === 503) {
      throw new Refused(Number(reply.headers["retry-after"]), path);
    }
    if (reply.statusCode >= 400) {
      throw new Error(`${reply.statusCode}: ${bytes.toString("utf8").slice(0, 200)}`);
    }
    return { body: bytes, location: String(reply.headers.location ?? "") };
  };
};

const parsed = <T>({ body }: Reply): T => JSON.parse(body.toString("utf8"));
