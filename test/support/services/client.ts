import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, FormData, fetch, type Response } from "undici";
import { expect } from "vitest";
import type { ProblemView } from "../../../functions/domain/errors/problem-view.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import { type DocumentCheck, documentCheck, type OpenapiDocument } from "../document-check.ts";
import { PATIENCE } from "../patience.ts";

/** A test client that validates every response against the service's own OpenAPI document. */

const agent = new Agent({ connections: 64, bodyTimeout: 60_000, headersTimeout: 60_000 });

export interface Call {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array | FormData;
}

export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** What a problem adds to the expected response. */
export type Problem = Omit<ProblemView, "status">;

/** A file by its path, or as it is sent. */
export type UploadFile = string | { readonly name: string; readonly bytes: Uint8Array };

export interface ApiClient {
  readonly url: string;
  /** Sends a request with the key and validates the response against the document. */
  call<Body = unknown>(path: string, call?: Call): Promise<Reply<Body>>;
  /** The same without validation, for responses that only a test key can trigger. */
  anyAnswer(path: string, call?: Call): Promise<Reply<unknown>>;
  upload(file: UploadFile): Promise<Reply<UploadView & Problem>>;
  convert(body: unknown, headers?: Record<string, string>): Promise<Reply<JobView & Problem>>;
  /** Converts and downloads a file; fails the test if the job does not complete. */
  turn(file: UploadFile, target: string, options?: object): Promise<{ job: JobView; bytes: Buffer }>;
  download(token: string): Promise<{ response: Response; bytes: Buffer }>;
  withKey(key: string | undefined): ApiClient;
}

export const apiClient = async (url: string, key?: string): Promise<ApiClient> =>
  clientWith(url, key, documentCheck(await documentOf(url)));

/**
 * Sends a request again while an overloaded service refuses it with 503, as the problem advises. On a busy machine, also a
 * service that has just started is overloaded. A refused request is not counted.
 */
export const unrefused = async <R extends { readonly status: number; readonly headers: Pick<Headers, "get"> }>(
  send: () => Promise<R>,
): Promise<R> => {
  const late = performance.now() + PATIENCE.timeout;
  for (;;) {
    const reply = await send();
    if (reply.status !== 503 || performance.now() > late) {
      return reply;
    }
    await pause(Number(reply.headers.get("retry-after")) * 1_000);
  }
};

const documentOf = async (url: string): Promise<OpenapiDocument> => {
  const response = await unrefused(() => fetch(`${url}/api/v1/openapi.json`, { dispatcher: agent }));
  expect(response.status).toBe(200);
  return (await response.json()) as OpenapiDocument;
};

const clientWith = (url: string, key: string | undefined, validate: DocumentCheck): ApiClient => {
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const send = (path: string, { method = "GET", headers = {}, body }: Call = {}) =>
    fetch(new URL(path, url), {
      method,
      headers: { ...authorization, ...headers },
      redirect: "manual",
      dispatcher: agent,
      ...(body !== undefined && { body }),
    });
  const reply = async <Body>(path: string, call?: Call): Promise<Reply<Body>> => {
    const response = await send(path, call);
    const text = await response.text();
    const json = /json/.test(response.headers.get("content-type") ?? "") && text !== "";
    const body = (json ? JSON.parse(text) : undefined) as Body;
    return { status: response.status, headers: response.headers as unknown as Headers, body };
  };
  const client: ApiClient = {
    url,
    call: async <Body>(path: string, call?: Call) => {
      const answer = await reply<Body>(path, call);
      validate(call?.method ?? "GET", path, answer);
      return answer;
    },
    anyAnswer: (path, call) => reply<unknown>(path, call),
    upload: async (file) => {
      const form = new FormData();
      const { name, bytes } = typeof file === "string" ? { name: basename(file), bytes: await readFile(file) } : file;
      form.set("file", new File([Uint8Array.from(bytes)], name));
      return client.call("/api/v1/upload", { method: "POST", body: form });
    },
    convert: (body, headers = {}) =>
      client.call("/api/v1/convert", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    turn: async (file, target, options) => {
      const upload = await client.upload(file);
      expect(upload.status, JSON.stringify(upload.body)).toBe(201);
      const body = { upload_id: upload.body.upload_id, target_format: target, ...(options && { options }) };
      let { body: job } = await client.convert(body, { prefer: "wait=25" });
      for (let tries = 0; tries < 4 && (job.status === "queued" || job.status === "processing"); tries += 1) {
        ({ body: job } = await client.call<JobView & Problem>(`/api/v1/convert/${job.id}/status?wait=25`));
      }
      expect(job.status, JSON.stringify(job)).toBe("completed");
      const { bytes } = await client.download(job.result?.download_token ?? "");
      return { job, bytes };
    },
    download: async (token) => {
      const path = `/api/v1/download/${token}`;
      const first = await send(path);
      // One machine returns the file itself.
      const response =
        first.status === 302
          ? await fetch(new URL(first.headers.get("location") ?? "", url), { dispatcher: agent })
          : first;
      const { headers } = first;
      validate("GET", path, { status: first.status, headers: headers as unknown as Headers, body: undefined });
      expect(response.status).toBe(200);
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    withKey: (other) => clientWith(url, other, validate),
  };
  return client;
};
