import type { IncomingMessage } from "node:http";
import { filenameIn } from "../domain/content-disposition.ts";
import type { UploadErrorCode } from "../domain/errors/upload-errors.ts";
import { IMPORT_MS_MAX, IMPORT_REDIRECTS_MAX, IMPORT_SILENCE_MS_MAX } from "../domain/limits.ts";
import type { Reaches } from "./addresses.ts";
import { AddressRefused, send } from "./request.ts";

/** A failed download. The detail is sent to the client. */
export class DownloadError extends Error {
  readonly code: UploadErrorCode;

  constructor(code: UploadErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "DownloadError";
    this.code = code;
  }
}

export interface DownloadTask {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly reaches: Reaches;
  /** Ends the transfer. @default after {@link IMPORT_MS_MAX} */
  readonly deadline?: AbortSignal;
}

/** Maximum resumptions of an interrupted transfer, if the server supports ranges. */
const RESUMES_MAX = 3;

/** A started download. */
export interface Download {
  readonly content: AsyncIterable<Uint8Array>;
  /** The content type of the response. */
  readonly mediaType: string | undefined;
  /** The filename that the server names, if it names one. */
  readonly filename: string | undefined;
}

/**
 * Starts a download and returns its content, which must be read before the deadline of the task. The transfer is aborted
 * after {@link IMPORT_SILENCE_MS_MAX} without a byte.
 *
 * @throws DownloadError `address_refused`, `fetch_failed`, `payload_too_large`; so does reading the content
 */
export const download = async (task: DownloadTask): Promise<Download> => {
  const { deadline = AbortSignal.timeout(IMPORT_MS_MAX) } = task;
  const first = await open(task, { deadline, headers: {} });
  const { response } = first;
  checkStatus(response, 200);
  const length = lengthOf(response);
  if (length !== undefined && length > task.bytesMax) {
    response.destroy();
    throw new DownloadError(
      "payload_too_large",
      `The file has ${length} bytes, which exceeds the limit of ${task.bytesMax}.`,
    );
  }
  return {
    content: contentOf(task, { ...first, deadline, length }),
    mediaType: response.headers["content-type"],
    filename: filenameIn(response.headers["content-disposition"] ?? ""),
  };
};

interface Opened {
  readonly response: IncomingMessage;
  readonly url: URL;
  /** The ETag of this version of the file, if the server supports ranges. */
  readonly version: string | undefined;
}

interface Opening {
  readonly deadline: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** Follows redirects. The client's headers are only sent to the host of the original URL. */
const open = async (task: DownloadTask, { deadline, headers }: Opening): Promise<Opened> => {
  const start = new URL(task.url);
  let url = start;
  for (let redirects = 0; redirects <= IMPORT_REDIRECTS_MAX; redirects += 1) {
    const own = url.origin === start.origin ? task.headers : {};
    const response = await responseTo(task, url, { deadline, headers: { ...lower(own), ...headers } });
    const location = isRedirect(response.statusCode) ? response.headers.location : undefined;
    if (location === undefined) {
      const ranges = /\bbytes\b/.test(response.headers["accept-ranges"] ?? "");
      return { response, url, version: ranges ? strong(response.headers.etag) : undefined };
    }
    response.destroy();
    const next = URL.parse(location, url.href);
    if (next === null || !/^https?:$/.test(next.protocol)) {
      throw new DownloadError("address_refused", "The server redirects to a URL that is not http: or https:.");
    }
    url = next;
  }
  throw new DownloadError("fetch_failed", `The server redirects more than ${IMPORT_REDIRECTS_MAX} times.`);
};

const responseTo = async (task: DownloadTask, url: URL, { deadline, headers }: Opening): Promise<IncomingMessage> => {
  const silence = AbortSignal.timeout(IMPORT_SILENCE_MS_MAX);
  const aborting = new AbortController();
  const end = () => aborting.abort(new Error("The server did not respond in time."));
  deadline.addEventListener("abort", end, { once: true });
  silence.addEventListener("abort", end, { once: true });
  try {
    const response = await send({ method: "GET", url, headers, signal: aborting.signal, reaches: task.reaches });
    // From here on, the idle timeout applies in addition to the deadline.
    silence.removeEventListener("abort", end);
    response.setTimeout(IMPORT_SILENCE_MS_MAX, () => response.destroy(new Error("The server stopped sending data.")));
    return response;
  } catch (error) {
    throw asDownloadError(error);
  }
};

const asDownloadError = (error: unknown): DownloadError => {
  if (error instanceof DownloadError) {
    return error;
  }
  if (error instanceof AddressRefused) {
    return new DownloadError("address_refused", error.message);
  }
  const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
  return new DownloadError("fetch_failed", `The server could not be reached, or the connection was lost${code}.`, {
    cause: error,
  });
};

const contentOf = async function* (
  task: DownloadTask,
  opened: Opened & { readonly deadline: AbortSignal; readonly length: number | undefined },
): AsyncGenerator<Uint8Array> {
  const { deadline, length, version } = opened;
  let { response } = opened;
  let bytes = 0;
  for (let resumes = 0; ; resumes += 1) {
    try {
      for await (const chunk of response) {
        bytes += chunk.length;
        if (bytes > task.bytesMax) {
          throw new DownloadError("payload_too_large", `The file exceeds the limit of ${task.bytesMax} bytes.`);
        }
        yield chunk;
      }
      if (length === undefined || bytes === length) {
        return;
      }
      throw new Error(`${bytes} of ${length} bytes received.`);
    } catch (error) {
      if (error instanceof DownloadError || version === undefined || resumes >= RESUMES_MAX || deadline.aborted) {
        throw asDownloadError(error);
      }
      ({ response } = await open(task, { deadline, headers: { range: `bytes=${bytes}-`, "if-range": version } }));
      checkStatus(response, 206);
    }
  }
};

const checkStatus = (response: IncomingMessage, expected: number): void => {
  if (response.statusCode !== expected) {
    response.destroy();
    throw new DownloadError("fetch_failed", `The server returned status ${response.statusCode}.`);
  }
};

const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);

const isRedirect = (status = 0): boolean => [301, 302, 303, 307, 308].includes(status);

/** A weak ETag does not guarantee identical bytes (RFC 9110, 13.1.5). */
const strong = (etag: string | undefined): string | undefined => (etag?.startsWith('"') ? etag : undefined);

const lower = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
