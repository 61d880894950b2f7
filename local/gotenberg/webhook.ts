import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { outboundHeaders } from "../../functions/api/storages/outbound-headers.ts";
import { EXPORT_SILENCE_MS_MAX } from "../../functions/domain/limits.ts";
import { asError, logger } from "../../functions/logger.ts";
import type { Reaches } from "../../functions/outbound/addresses.ts";
import { type FileToPut, type PutAnswer, putFile } from "../../functions/outbound/put-file.ts";
import { AddressRefused, send } from "../../functions/outbound/request.ts";
import { GotenbergError } from "./errors.ts";

/** Gotenberg's webhook headers: the result is uploaded to a URL after the response. */

export interface Webhook {
  /** Uploads the result, and sends the event. A result that cannot be uploaded is reported as an error. */
  succeed(result: FileToPut): Promise<void>;
  /** Sends the error to the URL for errors, and the event. Never throws. */
  fail(error: unknown): Promise<void>;
}

interface Settings {
  readonly reaches: Reaches;
  /** The identifier of the request. */
  readonly trace: string;
}

type Method = "PATCH" | "POST" | "PUT";

const METHODS: readonly Method[] = ["POST", "PATCH", "PUT"];

/** After a network error, 429 or 5xx except 501: 1, 2, 4 and 8 s, as Gotenberg does. */
const RETRY_WAITS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000];
/** A result of 500 MB at 33 Mbit/s. */
const UPLOAD_MS_MAX = 120_000;
const MESSAGE_MS_MAX = 30_000;

/**
 * @returns the webhook of the request; undefined without `Gotenberg-Webhook-Url`
 * @throws GotenbergError 400 for an invalid header, 403 for an address that is not allowed
 */
export const webhookOf = (headers: IncomingHttpHeaders, settings: Settings): Webhook | undefined => {
  const { reaches, trace } = settings;
  const url = urlOf(headers, "Gotenberg-Webhook-Url", reaches);
  const [errorUrl, eventsUrl] = [
    urlOf(headers, "Gotenberg-Webhook-Error-Url", reaches),
    urlOf(headers, "Gotenberg-Webhook-Events-Url", reaches),
  ];
  if (url === undefined) {
    return undefined;
  }
  if (errorUrl === undefined && eventsUrl === undefined) {
    throw new GotenbergError(
      400,
      "At least one of 'Gotenberg-Webhook-Error-Url' or 'Gotenberg-Webhook-Events-Url' headers must be provided",
    );
  }
  const method = methodOf(headers, "Gotenberg-Webhook-Method");
  const errorMethod = methodOf(headers, "Gotenberg-Webhook-Error-Method");
  const extra = extraHeadersOf(headers);
  const upload = (result: FileToPut) =>
    putFile(
      { url: url.href, method, headers: { ...extra, "content-type": result.mediaType, "gotenberg-trace": trace } },
      result,
      { reaches, signal: AbortSignal.timeout(UPLOAD_MS_MAX), now: Date.now() },
    );
  const message = (to: URL | undefined, by: Method, body: object) =>
    to === undefined
      ? Promise.resolve()
      : retried(() => sent({ url: to, method: by, headers: extra, body }, settings)).catch((error: unknown) =>
          logger.warn("a webhook of a form was not delivered", { error: asError(error) }),
        );
  const event = (name: "error" | "success", more: object = {}) =>
    message(eventsUrl, "POST", {
      event: `webhook.${name}`,
      correlationId: trace,
      timestamp: new Date().toISOString(),
      ...more,
    });
  const fail = async (error: unknown): Promise<void> => {
    const body = errorBodyOf(error);
    await message(errorUrl, errorMethod, body);
    await event("error", { error: body });
  };
  return {
    succeed: async (result) => {
      try {
        await retried(() => upload(result));
      } catch (error) {
        await fail(new GotenbergError(500, `The result was not uploaded: ${asError(error).message}`));
        return;
      }
      await event("success");
    },
    fail,
  };
};

const headerIn = (headers: IncomingHttpHeaders, name: string): string | undefined =>
  headers[name.toLowerCase()]?.toString() || undefined;

const urlOf = (headers: IncomingHttpHeaders, name: string, reaches: Reaches): URL | undefined => {
  const value = headerIn(headers, name);
  if (value === undefined) {
    return undefined;
  }
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") {
    throw new GotenbergError(400, `Invalid '${name}' header value: not an http: or https: URL.`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Names are resolved, and checked, when the request is sent.
  if (isIP(host) !== 0 && !reaches(host, Number(url.port || (url.protocol === "https:" ? 443 : 80)))) {
    throw new GotenbergError(403, `The address of '${name}' is not allowed.`);
  }
  return url;
};

const methodOf = (headers: IncomingHttpHeaders, name: string): Method => {
  const value = headerIn(headers, name)?.toUpperCase() ?? "POST";
  const method = METHODS.find((each) => each === value);
  if (method === undefined) {
    throw new GotenbergError(
      400,
      `Invalid '${name}' header value: expected 'POST', 'PATCH' or 'PUT', but got '${value.slice(0, 20)}'`,
    );
  }
  return method;
};

const EXTRA = "Gotenberg-Webhook-Extra-Http-Headers";

const extraHeaders = outboundHeaders("the requests to the webhook URLs");

const extraHeadersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => {
  const value = headerIn(headers, EXTRA);
  const { data = {}, error } = extraHeaders.safeParse(value === undefined ? {} : parsed(value));
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) {
    throw new GotenbergError(400, `Invalid '${EXTRA}' header value: ${issue.message}.`);
  }
  return Object.fromEntries(Object.entries(data).map(([name, text]) => [name.toLowerCase(), text]));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new GotenbergError(400, `Invalid '${EXTRA}' header value: not a JSON object.`);
  }
};

interface Message {
  readonly url: URL;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const sent = async ({ url, method, headers, body }: Message, { reaches, trace }: Settings): Promise<PutAnswer> => {
  const response = await send({
    method,
    url,
    headers: { ...headers, "content-type": "application/json", "gotenberg-trace": trace },
    body: JSON.stringify(body),
    silenceMs: EXPORT_SILENCE_MS_MAX,
    signal: AbortSignal.timeout(MESSAGE_MS_MAX),
    reaches,
  });
  response.destroy();
  const status = response.statusCode ?? 0;
  return status < 400 ? { status } : { status, error: `The server returned status ${status}.` };
};

/** Sends until the server accepts it. @throws the last error */
const retried = async (attempt: () => Promise<PutAnswer>): Promise<void> => {
  for (const wait of [...RETRY_WAITS_MS, undefined]) {
    const outcome = await attempt().catch((error: unknown) => ({ status: 0, error: asError(error) }));
    if (outcome.error === undefined) {
      return;
    }
    const error = asError(outcome.error);
    if (wait === undefined || error instanceof AddressRefused || !isTemporary(outcome.status)) {
      throw error;
    }
    await pause(wait);
  }
};

/** 0: no response. */
const isTemporary = (status: number): boolean => status === 0 || status === 429 || (status >= 500 && status !== 501);

const errorBodyOf = (error: unknown): { readonly status: number; readonly message: string } => {
  if (error instanceof GotenbergError) {
    return { status: error.status, message: error.message };
  }
  logger.error("a form with a webhook failed", { error: asError(error) });
  return { status: 500, message: "Internal Server Error" };
};
