import type { IncomingMessage } from "node:http";
import { attachment } from "../domain/content-disposition.ts";
import { signedS3Url } from "../domain/exports/sign-s3.ts";
import { type OpenStorage, objectUrl } from "../domain/exports/storage.ts";
import { EXPORT_FOLDERS_MAX, EXPORT_SILENCE_MS_MAX } from "../domain/limits.ts";
import type { Reaches } from "./addresses.ts";
import { type OutboundRequest, send } from "./request.ts";

/** Where a file is sent: a URL, or an object in a storage. */
export type PutTarget =
  | {
      readonly url: string;
      readonly method: "PATCH" | "POST" | "PUT";
      readonly headers: Readonly<Record<string, string>>;
    }
  | ObjectTarget;

export interface ObjectTarget extends OpenStorage {
  readonly key: string;
}

/** A file to send. */
export interface FileToPut {
  readonly bytes: number;
  readonly mediaType: string;
  readonly filename: string;
  /** @returns the content from the start; called for each request that sends it */
  content(): Promise<AsyncIterable<Uint8Array>>;
}

export interface Connection {
  readonly reaches: Reaches;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The response of the server. */
export interface PutAnswer {
  readonly status: number;
  /** Why the file was not stored. @default it was */
  readonly error?: string;
}

/** Seconds that a signed request to a storage is valid: it is sent at once. */
const SIGNED_SECONDS = 900;

/**
 * Sends the file in one request, without following redirects. Missing folders of WebDAV are created.
 *
 * @throws AddressRefused, or a network error
 */
export const putFile = async (target: PutTarget, file: FileToPut, connection: Connection): Promise<PutAnswer> => {
  const first = await putOnce(target, file, connection);
  // RFC 4918, 9.7.1: 409 when a folder is missing. Some servers return 404.
  const needsFolders = (first.status === 409 || first.status === 404) && "place" in target;
  if (!needsFolders || target.place.type !== "webdav" || !target.key.includes("/")) {
    return first;
  }
  await createFolders(target, connection);
  return putOnce(target, file, connection);
};

/** Deletes an object. @throws AddressRefused, or a network error */
export const deleteObject = async (target: ObjectTarget, connection: Connection): Promise<PutAnswer> =>
  answerOf(await send({ ...requestTo(target, "DELETE", connection), ...limitsOf(connection) }));

/** @returns a request for the object, with its authentication */
export const requestTo = (
  { place, credentials, key }: ObjectTarget,
  method: "DELETE" | "GET" | "PUT",
  { now }: Pick<Connection, "now">,
): Pick<OutboundRequest, "headers" | "url"> & { readonly method: "DELETE" | "GET" | "PUT" } =>
  place.type === "s3"
    ? { method, url: signedS3Url(place, credentials, { method, key, now, seconds: SIGNED_SECONDS }), headers: {} }
    : { method, url: objectUrl(place, key), headers: basicOf(credentials) };

const putOnce = async (target: PutTarget, file: FileToPut, connection: Connection): Promise<PutAnswer> => {
  const request =
    "place" in target
      ? requestTo(target, "PUT", connection)
      : { method: target.method, url: new URL(target.url), headers: target.headers };
  const headers = {
    "content-type": file.mediaType,
    ...("place" in target ? {} : { "content-disposition": attachment(file.filename) }),
    ...request.headers,
    "content-length": String(file.bytes),
  };
  const content = await file.content();
  return answerOf(await send({ ...request, ...limitsOf(connection), headers, content }));
};

const limitsOf = ({ signal, reaches }: Connection) => ({ signal, reaches, silenceMs: EXPORT_SILENCE_MS_MAX });

/** Folders that exist already respond with 405 (RFC 4918, 9.3.1). The next request shows whether it worked. */
const createFolders = async ({ place, credentials, key }: ObjectTarget, connection: Connection): Promise<void> => {
  const folders = key.split("/").slice(0, -1);
  for (let depth = 1; depth <= Math.min(folders.length, EXPORT_FOLDERS_MAX); depth += 1) {
    const url = objectUrl(place, `${folders.slice(0, depth).join("/")}/`);
    const response = await send({ method: "MKCOL", url, headers: basicOf(credentials), ...limitsOf(connection) });
    response.destroy();
  }
};

const basicOf = ({ id, secret }: ObjectTarget["credentials"]): Record<string, string> =>
  id === "" && secret === "" ? {} : { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };

/** Bytes of an error response that are read for its code. */
const ERROR_BYTES_MAX = 4_096;

const answerOf = async (response: IncomingMessage): Promise<PutAnswer> => {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    response.destroy();
    return { status };
  }
  const code = await errorCodeIn(response);
  return { status, error: `The server returned status ${status}${code === undefined ? "" : ` (${code})`}.` };
};

/** @returns the code in an error response of S3, such as `NoSuchBucket` */
const errorCodeIn = async (response: IncomingMessage): Promise<string | undefined> => {
  let text = "";
  try {
    for await (const chunk of response) {
      text += chunk;
      if (text.length >= ERROR_BYTES_MAX) {
        break;
      }
    }
  } catch {
    // The status is enough.
    return undefined;
  }
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
};
