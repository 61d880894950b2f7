import type { Webhook, WebhookEvent, WebhookList, WebhookSecrets } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import type { Service } from "../http/request.ts";
import { itemsOf, type PageFilter, queryOf } from "./query.ts";
import { type WebhookEndpoints, webhookEndpointsOf } from "./webhook-endpoints.ts";

/** The headers of a request: of `fetch`, of Node, or as an object. */
export type HeaderValues =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface VerifyOptions {
  /** Largest difference of the clocks, which also limits replays. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. @default now */
  readonly now?: number | undefined;
}

/** A filter of webhook messages. */
export interface WebhookFilter extends PageFilter {
  /** ID of an endpoint, or `default`: the webhook URLs of the account and its jobs. */
  readonly endpoint?: string | undefined;
}

/** Webhook messages of the account, and their verification. Requires the scope `webhooks`, except for `verify`. */
export interface Webhooks {
  /** @see {@link verifyWebhook} */
  verify: typeof verifyWebhook;
  /** @returns a page of messages, newest first */
  list(filter?: WebhookFilter): Promise<WebhookList>;
  /** @returns all messages, newest first. Pages are requested as they are read */
  all(filter?: WebhookFilter): AsyncGenerator<Webhook, void, undefined>;
  /** Sends a message again. */
  redeliver(id: string): Promise<Webhook>;
  secrets(): Promise<WebhookSecrets>;
  readonly endpoints: WebhookEndpoints;
  /** Creates a new secret. The previous one remains valid for a day, and both sign each message. */
  rotateSecret(): Promise<WebhookSecrets>;
}

export const webhooksOf = (service: Service): Webhooks => {
  const list = (filter: WebhookFilter = {}): Promise<WebhookList> => service.json({ to: `webhooks${queryOf(filter)}` });
  return {
    verify: verifyWebhook,
    list,
    all: (filter = {}) =>
      itemsOf(
        (after) => list({ ...filter, after }),
        ({ messages }) => messages,
        filter.after,
      ),
    redeliver: (id) => service.json({ method: "POST", to: `webhooks/${encodeURIComponent(id)}/redeliver` }),
    endpoints: webhookEndpointsOf(service),
    secrets: () => service.json({ to: "webhooks/secret" }),
    rotateSecret: () => service.json({ method: "POST", to: "webhooks/secret" }),
  };
};

const TOLERANCE_SECONDS = 300;
/** Signatures of one message: one for each valid secret. */
const SIGNATURES_MAX = 10;

/**
 * Verifies that a webhook comes from the service (Standard Webhooks), and parses it.
 *
 * @param body the body as it was received: parsing and serializing it again changes it
 * @param secrets `whsec_…`; during a rotation, the old and the new one
 * @throws AnyformError `invalid_signature`
 */
export const verifyWebhook = async (
  body: string | Uint8Array,
  headers: HeaderValues,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const id = required(headers, "webhook-id");
  const seconds = required(headers, "webhook-timestamp");
  const signatures = required(headers, "webhook-signature").split(" ").slice(0, SIGNATURES_MAX);
  checkTime(seconds, { toleranceSeconds, now });
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${seconds}.${text}`);
  const keys = await Promise.all([secrets].flat().map(keyOf));
  for (const key of keys) {
    for (const signature of signatures) {
      const bytes = signature.startsWith("v1,") ? bytesIn(signature.slice(3)) : undefined;
      // Web Crypto compares in constant time.
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) {
        return JSON.parse(text) as WebhookEvent;
      }
    }
  }
  throw invalid("No signature matches. Check the secret, and pass the body exactly as it was received.");
};

const required = (headers: HeaderValues, name: string): string => {
  const value = typeof headers.get === "function" ? headers.get(name) : valueIn(headers, name);
  if (!value) {
    throw invalid(`Missing header: ${name}.`);
  }
  return value;
};

const valueIn = (headers: object, name: string): string | undefined => {
  const entries: [string, unknown][] = Object.entries(headers);
  const found = entries.find(([key]) => key.toLowerCase() === name)?.[1];
  return found === undefined ? undefined : String(found);
};

const checkTime = (text: string, { toleranceSeconds, now }: { toleranceSeconds: number; now: number }): void => {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  const difference = Math.abs(now / 1_000 - seconds);
  if (!(difference <= toleranceSeconds)) {
    throw invalid(
      `The timestamp ${text.slice(0, 20)} differs by more than ${toleranceSeconds} s from the clock of this machine.`,
    );
  }
};

const PREFIX = "whsec_";

const keyOf = async (secret: string) => {
  const bytes = secret.startsWith(PREFIX) ? bytesIn(secret.slice(PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length === 0) {
    throw invalid("Invalid webhook secret: it must start with `whsec_`, followed by base64.");
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
};

/** @returns the bytes in base64; undefined for other text */
const bytesIn = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const invalid = (detail: string): AnyformError => new AnyformError({ code: "invalid_signature", detail });
