import type { Readable } from "node:stream";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type * as z from "zod/mini";
import type { KeyLimit } from "../domain/accounts/keys.ts";
import type { Member } from "../domain/accounts/members.ts";
import type { Account } from "../domain/accounts/plans.ts";
import { keyQuotaExceeded, type QuotaClaim, quotaExceeded } from "../domain/accounts/quotas.ts";
import { RequestError } from "../domain/errors.ts";
import type { Context, Refused } from "../domain/ports.ts";
import type { Session } from "../domain/sessions/session.ts";

/**
 * An event of API Gateway's HTTP API, payload 2.0. The one-machine gateway creates the same event, but passes the body
 * as a stream, so that a file of 5 GB needs constant memory.
 */
export type ApiEvent = APIGatewayProxyEventV2 & { stream?: Readable; exchange?: Exchange };

/**
 * Only for the one-machine gateway, instead of `body`. `file`: the signed path of the file that it sends. `bytes`: shared
 * by all responses with this content, and never copied. `stream`: a body that is sent while it is created.
 */
export type ApiResult = APIGatewayProxyStructuredResultV2 & {
  readonly file?: string;
  readonly bytes?: Uint8Array;
  readonly stream?: Readable;
};

/** The response of an operation. A body is sent as JSON. */
export interface Answer {
  readonly status: number;
  /** Lowercase names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The serialized body, instead of `body`; can be compressed. JSON, unless a header says otherwise. */
  readonly bytes?: Uint8Array;
  /** The signed path of a file that is the body, only for a store that is served by the gateway. */
  readonly file?: string;
  /** A body that is sent while it is created, only for a context with `streams`. Destroyed when the client disconnects. */
  readonly stream?: Readable;
}

/** The schema of a JSON body. */
export type BodySchema<Body> = z.ZodMiniType<Body>;

/** A request as seen by an operation: received, authenticated, its JSON body validated. */
export interface ApiRequest<Body = unknown> {
  readonly id: string;
  /** The ID of the operation that serves it. */
  readonly operation: string;
  readonly method: string;
  /** The path as sent by the client. Never logged, because it can contain a download token. */
  readonly path: string;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  /** The body as a stream, for operations that read it themselves. */
  readonly stream: () => Readable;
  /** The base URL by which the client reached the service, without a trailing slash. */
  readonly baseUrl: string;
  /** When the request arrived, milliseconds since 1970. */
  readonly now: number;
  /** The address of the client; behind a trusted proxy, the address that the proxy reports. */
  readonly ip: string;
  /** The session, for requests that are authenticated by a session. */
  readonly session?: Session;
  /** The member who is signed in, for requests that are authenticated by a session. */
  readonly member?: Member;
  /** The account of the key or session; empty if none is needed. */
  readonly accountId: string;
  /** The account when the request arrived; only set if authentication is needed. */
  readonly account?: Account;
  /** The ID of the API key; undefined for session requests and unauthenticated requests. */
  readonly keyId?: string;
  /** The monthly limit of the API key. @default it has none */
  readonly keyLimit?: KeyLimit;
  /** Whether the API key is a test key. */
  readonly isTest: boolean;
  /** The account, month and limit that the request counts toward; only for metered operations without a test key. */
  readonly claim?: QuotaClaim;
}

/** The account of a request, and its API key. Known as soon as the key or session is found, even if it is refused. */
export interface Caller {
  readonly accountId: string;
  readonly keyId?: string;
}

/** A request on its way down the middleware stack, and its response on the way up. */
export interface Exchange {
  readonly context: Context;
  request: ApiRequest;
  /** Headers of every response to this request, including problems. */
  readonly headers: Record<string, string>;
  /** @default unknown, or a visitor, whose account has no log */
  caller?: Caller;
  /** The response, once it is complete. */
  answer?: Answer;
}

/** @returns the exchange of an event that has passed the first middleware */
export const exchangeOf = (event: ApiEvent): Exchange => {
  if (event.exchange === undefined) {
    throw new TypeError("`receive` must be the first middleware.");
  }
  return event.exchange;
};

/** @returns the log fields of every line about a request; the account is `none` for unauthenticated requests */
export const requestKeys = ({ id, operation, accountId }: ApiRequest<unknown>) => ({
  request_id: id,
  account_id: accountId || "none",
  operation,
});

/** @returns the error of a metered request when a limit is reached at the time of counting */
export const quotaRefused = (
  { claim, now }: Pick<ApiRequest<unknown>, "claim" | "now">,
  { outcome }: Refused,
): RequestError => {
  if (claim === undefined) {
    throw new TypeError("An unmetered request was counted.");
  }
  return outcome === "key_quota_exceeded" && claim.key !== undefined
    ? keyQuotaExceeded(claim.key.limit, claim.month, now)
    : quotaExceeded(claim, now);
};

/** @returns whether a limit prevented the creation of a record */
export const isRefused = <T extends { readonly outcome: string }>(creation: T | undefined): creation is T & Refused =>
  creation?.outcome === "quota_exceeded" || creation?.outcome === "key_quota_exceeded";

/** @param pointer the JSON pointer of the value @returns the error for a value that is not valid */
export const invalidValue = (pointer: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, { errors: [{ pointer, code: "invalid", detail }] });

/**
 * @returns a path parameter
 * @throws RequestError `not_found` when it is empty
 */
export const param = (request: ApiRequest<unknown>, name: string): string => {
  const value = request.params[name];
  if (value === undefined || value === "") {
    throw new RequestError("not_found", `Missing path parameter: ${name}.`);
  }
  return value;
};

/** @returns whether the client already has this version (RFC 9110, 13.1.2: weak comparison) */
export const hasVersion = (request: ApiRequest<unknown>, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === etag);
