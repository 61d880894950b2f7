import type { PlannedRequest } from "./draft.ts";
import { rememberIds } from "./recent-ids.ts";

/** A response as the reader sees it. */
export interface Received {
  readonly status: number;
  readonly reason: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly mediaType: string;
  /** The body as text, formatted if it is JSON; undefined for other files. */
  readonly text: string | undefined;
  readonly blob: Blob;
  /** From `Content-Disposition`. */
  readonly filename: string;
}

/** Characters of a text that are shown. The file has all of them. */
const TEXT_CHARACTERS_MAX = 100_000;

interface Sending {
  /** Whether to send the cookie of the session. */
  readonly withSession: boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends the request, and remembers the IDs in its response.
 * @throws TypeError if the service cannot be reached, or DOMException if the signal aborts
 */
export const sendPlanned = async (
  { method, url, headers, body }: PlannedRequest,
  { withSession, signal }: Sending,
): Promise<Received> => {
  const start = performance.now();
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    credentials: withSession ? "same-origin" : "omit",
    cache: "no-store",
    signal,
    ...bodyOf(body),
  });
  const blob = await response.blob();
  const mediaType = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  const text = isText(mediaType) ? await blob.slice(0, TEXT_CHARACTERS_MAX).text() : undefined;
  rememberIds(text ?? "");
  return {
    status: response.status,
    reason: response.statusText,
    milliseconds: Math.round(performance.now() - start),
    headers: [...response.headers],
    mediaType,
    text: text !== undefined && blob.size <= TEXT_CHARACTERS_MAX ? formatted(text, mediaType) : text,
    blob,
    filename: filenameIn(response.headers.get("content-disposition") ?? "") ?? "response",
  };
};

const bodyOf = (body: PlannedRequest["body"]): { readonly body?: BodyInit } => {
  if (body?.type === "json") {
    return { body: body.text };
  }
  if (body?.type === "file") {
    return body.file ? { body: body.file } : {};
  }
  if (body === undefined) {
    return {};
  }
  const form = new FormData();
  for (const { name, text, file } of body.parts) {
    if (file === undefined) {
      form.append(name, text);
    } else {
      form.append(name, file, file.name);
    }
  }
  return { body: form };
};

const isText = (mediaType: string): boolean => /^text\/|[/+](?:json|xml|yaml)$/.test(mediaType);

const formatted = (text: string, mediaType: string): string => {
  if (!mediaType.endsWith("json") || text === "") {
    return text;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A file that a conversion made can have any content: it is shown as it is.
    return text;
  }
};

/** RFC 6266: the encoded name, otherwise the plain one. */
const filenameIn = (disposition: string): string | undefined => {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? /filename="([^"]*)"/.exec(disposition)?.[1] : decodeURIComponent(encoded);
};
