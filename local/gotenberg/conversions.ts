import { createReadStream, openAsBlob } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { ApiResult } from "../../functions/api/request.ts";
import { resultFilename } from "../../functions/domain/jobs/job.ts";
import type { Context } from "../../functions/domain/ports.ts";
import type { FileToPut } from "../../functions/outbound/put-file.ts";
import { GotenbergError } from "./errors.ts";
import type { StagedFile } from "./form.ts";
import type { FormConversion } from "./operations.ts";

/** A request to the API of this service, in this process. */
export interface InnerRequest {
  readonly method: "GET" | "POST";
  /** The path with its query. */
  readonly path: string;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream?: Readable;
}

export type Invoke = (request: InnerRequest) => Promise<ApiResult>;

/** Runs conversions with the operations of the API, as the account of the key. */
export interface Conversions {
  /**
   * @param name the filename without its extension. @default that of the first file
   * @returns a response with the file
   */
  respond(conversion: FormConversion, name?: string): Promise<ApiResult>;
  /** @returns the result as a file in the folder */
  convert(conversion: FormConversion): Promise<StagedFile>;
  /**
   * @param name the filename without its extension. @default that of the first file
   * @returns the result as a file that can be sent
   */
  finish(conversion: FormConversion, name?: string): Promise<FileToPut>;
}

interface Settings {
  readonly context: Pick<Context, "files" | "jobs">;
  readonly invoke: Invoke;
  /** The header of the API key. */
  readonly authorization: string;
  readonly folder: string;
}

/** Requests to a job that takes longer than one of them may wait: 25 s each. */
const WAITS_MAX = 12;

export const conversionsOf = (settings: Settings): Conversions => {
  let results = 0;
  const headers = { authorization: settings.authorization };
  const fetched = async (conversion: FormConversion, name?: string) => {
    const accepted = await send(settings, conversion, {
      accept: "application/json",
      ...(name !== undefined && { name }),
    });
    const { id } = await finished(settings, checked(accepted));
    results += 1;
    const folder = join(settings.folder, `result-${results}`);
    await mkdir(folder);
    const job = await settings.context.jobs.getJob(id);
    const path = job?.result && (await settings.context.files.fetch(job.result.key, folder));
    if (job?.result === undefined || path === undefined) {
      throw new GotenbergError(503, "The result of a conversion was deleted.");
    }
    return { path, job, result: job.result };
  };
  return {
    respond: async (conversion, name) => {
      const first = await send(settings, conversion, { accept: "*/*", ...(name !== undefined && { name }) });
      if (first.statusCode !== 202) {
        return checked(first);
      }
      const job = await finished(settings, first);
      const path = new URL(String(job.result?.download_url), "http://gateway").pathname;
      return checked(await settings.invoke({ method: "GET", path, headers }));
    },
    convert: async (conversion) => ({ name: nameOf(conversion), path: (await fetched(conversion)).path }),
    finish: async (conversion, name) => {
      const { path, job, result } = await fetched(conversion, name);
      const { bytes, mediaType } = result;
      return { bytes, mediaType, filename: resultFilename(job, result), content: async () => createReadStream(path) };
    },
  };
};

/** @returns the name of the first file, with the extension of the result */
const nameOf = ({ files, target }: FormConversion): string => {
  const { name = "file" } = files[0] ?? {};
  return name.toLowerCase().endsWith(`.${target}`) ? name : `${name}.${target}`;
};

interface JobBody {
  readonly id: string;
  readonly status: string;
  readonly result: { readonly download_url: string } | null;
  readonly error: { readonly detail: string; readonly code: string } | null;
}

const send = async (
  { invoke, authorization }: Settings,
  { files, target, options, optionFiles = {} }: FormConversion,
  { accept, name }: { readonly accept: string; readonly name?: string },
): Promise<ApiResult> => {
  const form = new FormData();
  for (const file of files) {
    form.append("file", await openAsBlob(file.path), file.name);
  }
  if (name !== undefined) {
    form.append("filename", `${name}.${target}`);
  }
  form.append("target_format", target);
  form.append("options", JSON.stringify(options));
  for (const [option, file] of Object.entries(optionFiles)) {
    form.append(option, await openAsBlob(file.path), file.name);
  }
  const encoded = new Response(form);
  // The types of the DOM and of Node describe the same streams.
  const stream = Readable.fromWeb(encoded.body as ReadableStream);
  const contentType = encoded.headers.get("content-type") ?? "";
  const headers = { authorization, accept, "content-type": contentType };
  return invoke({ method: "POST", path: "/api/v1/convert?wait=25", headers, stream });
};

/** Waits for the end of a job. @throws GotenbergError when it fails, or takes too long */
const finished = async ({ invoke, authorization }: Settings, first: ApiResult): Promise<JobBody> => {
  let job = bodyOf(first);
  for (let waits = 0; waits < WAITS_MAX && (job.status === "queued" || job.status === "processing"); waits += 1) {
    const path = `/api/v1/convert/${job.id}/status?wait=25`;
    job = bodyOf(checked(await invoke({ method: "GET", path, headers: { authorization } })));
  }
  if (job.status !== "completed") {
    throw new GotenbergError(job.error === null ? 503 : 400, job.error?.detail ?? "The conversion takes too long.");
  }
  return job;
};

const textOf = ({ body, bytes, isBase64Encoded }: ApiResult): string =>
  bytes === undefined ? Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8").toString() : String(bytes);

/** The body is written by this service. */
const bodyOf = (result: ApiResult): JobBody => JSON.parse(textOf(result)) as JobBody;

/** Our statuses that Gotenberg reports as 400: the client has to change the request. */
const BAD_REQUESTS: readonly number[] = [409, 410, 415, 422];

/** @throws GotenbergError for a problem */
const checked = (result: ApiResult): ApiResult => {
  const status = result.statusCode ?? 500;
  if (status < 400) {
    return result;
  }
  const { detail = "The request failed.", title } = JSON.parse(textOf(result)) as { detail?: string; title?: string };
  throw new GotenbergError(
    BAD_REQUESTS.includes(status) ? 400 : status,
    title === undefined ? detail : `${title}: ${detail}`,
  );
};
