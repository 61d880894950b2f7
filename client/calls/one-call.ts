import type { ConversionSettings, Job } from "../api.ts";
import { AnyformError, ConversionError } from "../http/errors.ts";
import { type Call, idempotencyKey, type Service, WAIT_SECONDS } from "../http/request.ts";
import { cancel, endOf, type Waiting } from "../jobs.ts";
import { bytesProgress, watched } from "../transfer/progress.ts";
import type { Keeper, Kept } from "./kept.ts";

/** Sends a file with its conversion in one request, which is counted once, and receives the result in the response. */

/** A completed job, and its result if it arrived with it. */
export interface Converted {
  readonly job: Job;
  readonly kept?: Kept | undefined;
  /** The URL of the result, if the service redirected to it. */
  readonly url?: URL | undefined;
}

export interface OneCall extends Waiting {
  readonly service: Service;
  readonly keep: Keeper;
  readonly settings: ConversionSettings;
  readonly sourceFormat?: string | undefined;
}

interface File {
  readonly name: string;
  readonly blob: Blob;
}

/** The service rejects the file in this request, or does not support it: the file has to be uploaded. */
const UPLOAD_STATUSES: ReadonlySet<number> = new Set([413, 415]);
/** Seconds until the response has the job ID, which progress and cancellation need. */
const WATCHED_SECONDS = 2;

/**
 * All attempts share one idempotency key, so they create one job.
 * @returns undefined if the file must be uploaded separately
 * @throws ConversionError if the job ends without a result; the signal's reason if it aborts, which cancels the job if
 * its ID is known, and otherwise ends the connection
 */
export const convertInOneCall = async (call: OneCall, file: File): Promise<Converted | undefined> => {
  const { service, signal, onProgress } = call;
  const request = requestOf(call, file);
  try {
    const response = await service.repeat(() => service.once(request), { signal });
    onProgress?.(bytesProgress("upload", file.blob.size, file.blob.size));
    return await convertedIn(call, request, response);
  } catch (error) {
    if (error instanceof AnyformError && error.jobId !== undefined) {
      throw await failureOf(service, error, error.jobId);
    }
    if (error instanceof AnyformError && UPLOAD_STATUSES.has(error.status)) {
      return undefined;
    }
    throw error;
  }
};

const requestOf = ({ settings, sourceFormat, signal, onProgress }: OneCall, { name, blob }: File): Call => {
  const { options, metadata, steps, export: exportTo, ...texts } = settings;
  const fields = {
    ...texts,
    ...(sourceFormat !== undefined && { source_format: sourceFormat }),
    ...(options && { options: JSON.stringify(options) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
    ...(exportTo && { export: JSON.stringify(exportTo) }),
    ...(steps && { steps: JSON.stringify(steps) }),
  };
  const form = formOf(fields, { name, blob });
  const report = (sent: number): void => onProgress?.(bytesProgress("upload", Math.min(sent, blob.size), blob.size));
  return {
    method: "POST",
    to: "convert",
    headers: { "content-type": form.type, "idempotency-key": idempotencyKey() },
    body: () => {
      let sent = 0;
      return watched(form, (bytes) => {
        sent += bytes;
        report(sent);
      });
    },
    onSent: report,
    bytes: blob.size,
    waitSeconds: signal === undefined && onProgress === undefined ? WAIT_SECONDS : WATCHED_SECONDS,
    acceptsRedirect: true,
    signal,
  };
};

/** A form (RFC 7578) as a Blob: `fetch` reports the progress of a Blob, but not of `FormData`. */
const formOf = (fields: Readonly<Record<string, string>>, { name, blob }: File): Blob => {
  const boundary = `anyform-${idempotencyKey()}`;
  const head = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quotable(name)}"\r\n`;
  const type = `content-type: ${blob.type || "application/octet-stream"}\r\n\r\n`;
  return new Blob([...head, file, type, blob, `\r\n--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
};

/** As browsers encode filenames (HTML Standard, 4.10.22.8). */
const quotable = (name: string): string => name.replaceAll(/[\r\n"]/g, encodeURIComponent);

const convertedIn = async (call: OneCall, request: Call, response: Response): Promise<Converted> => {
  const { service } = call;
  const jobId = response.headers.get("x-job-id");
  if (jobId !== null) {
    const location = response.ok ? null : response.headers.get("location");
    const url = location === null ? undefined : new URL(location, response.url || undefined);
    // The job's details do not fit into headers.
    const details = jobOf(service, jobId).catch((error: unknown) => {
      if (isForbidden(error)) {
        return repeated(call, request);
      }
      throw error;
    });
    const [kept, job] = await Promise.all([response.ok ? call.keep(response) : undefined, details]);
    call.onProgress?.({ phase: "convert", percent: 100 });
    return { job, kept, url };
  }
  if (response.ok && isJson(response)) {
    return { job: await endOrCancel(call, (await response.json()) as Job) };
  }
  // Browsers hide redirects and where they lead.
  await response.body?.cancel().catch(() => undefined);
  return { job: await endOrCancel(call, await repeated(call, request)) };
};

/** @returns the job of a request that has been accepted */
const repeated = ({ service }: OneCall, request: Call): Promise<Job> =>
  service.json<Job>({
    ...request,
    headers: { ...request.headers, accept: "application/json" },
    acceptsRedirect: false,
  });

/** A key can convert and download without reading jobs. */
const isForbidden = (error: unknown): boolean => error instanceof AnyformError && error.status === 403;

const failureOf = async (service: Service, error: AnyformError, jobId: string): Promise<AnyformError> => {
  try {
    return new ConversionError(await jobOf(service, jobId));
  } catch (cause) {
    if (isForbidden(cause)) {
      return error;
    }
    throw cause;
  }
};

const isJson = ({ headers }: Response): boolean => /^application\/json\b/.test(headers.get("content-type") ?? "");

const endOrCancel = async (call: OneCall, job: Job): Promise<Job> => {
  try {
    return await endOf(call.service, job, call);
  } catch (error) {
    if (call.signal?.aborted) {
      await cancel(call.service, job.id).catch(() => undefined);
    }
    throw error;
  }
};

const jobOf = (service: Service, id: string): Promise<Job> =>
  service.json({ to: `convert/${encodeURIComponent(id)}/status` });
