import type { Readable } from "node:stream";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type * as z from "zod/mini";
import { RequestError } from "../domain/errors.ts";
import type { Account } from "../domain/plans.ts";
import type { Context } from "../domain/ports.ts";
import { type QuotaClaim, quotaExceeded } from "../domain/quotas.ts";
import type { Session } from "../domain/sessions.ts";

/**
 * An event of API Gateway's HTTP API, payload 2.0. The one-machine gateway makes the same, but hands the body over as
 * a stream, so that a file of 5 GB passes in flat memory.
 */
export type ApiEvent = APIGatewayProxyEventV2 & { stream?: Readable; exchange?: Exchange };

export type ApiResult = APIGatewayProxyStructuredResultV2;

/** What an operation answers. A body is sent as JSON. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as bytes, in place of `body`: made already, and maybe compressed. JSON, unless a header says otherwise. */
  readonly bytes?: Uint8Array;
}

/** The schema of a JSON body. */
export type BodySchema<Body> = z.ZodMiniType<Body>;

/** A request as an operation sees it: received, authenticated, its JSON body checked. */
export interface ApiRequest<Body = unknown> {
  readonly id: string;
  /** The row of the route table that serves it. */
  readonly operation: string;
  readonly method: string;
  /** As the client sent it; it may hold a download token, so it is never logged. */
  readonly path: string;
  /** Parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  /** The bytes of the body, where the operation reads them itself. */
  readonly stream: () => Readable;
  /** Where the client reached the service, without a slash at the end. */
  readonly baseUrl: string;
  /** When the request arrived, milliseconds since 1970. */
  readonly now: number;
  /** The address that the client connected from; behind a proxy that is trusted, what the proxy says. */
  readonly ip: string;
  /** Who is signed in, where a session came with the request and no API key. */
  readonly session?: Session;
  /** Whose key or session came with the request; empty where none is needed. */
  readonly accountId: string;
  /** The account of the key, as it was when the request arrived; only where a key is needed. */
  readonly account?: Account;
  /** Which API key came with it; undefined: none, but a session, or nothing. */
  readonly keyId?: string;
  /** Whether a test key came with it. */
  readonly isTest: boolean;
  /** Who pays for the request, in which month, up to which limit; only on metered operations, and not with a test key. */
  readonly claim?: QuotaClaim;
}

/** One request on its way down the stack and its answer on the way up. */
export interface Exchange {
  readonly context: Context;
  request: ApiRequest;
  /** Headers that every answer to this request carries, a problem too. */
  readonly headers: Record<string, string>;
}

/** @returns the exchange of an event that has passed the first middleware */
export const exchangeOf = (event: ApiEvent): Exchange => {
  if (event.exchange === undefined) {
    throw new TypeError("The event was not received: `receive` must be the first middleware.");
  }
  return event.exchange;
};

/** @returns what every line about a request carries in the log; of one without a key the account is `none` */
export const requestKeys = ({ id, operation, accountId }: ApiRequest<unknown>) => ({
  request_id: id,
  account_id: accountId || "none",
  operation,
});

/** @returns the error of a metered request for which the quota was used up in the moment of counting */
export const quotaRefused = ({ claim, now }: ApiRequest<unknown>): RequestError => {
  if (claim === undefined) {
    throw new TypeError("A request that is not metered was counted.");
  }
  return quotaExceeded(claim, now);
};

/**
 * @returns a parameter of the path
 * @throws RequestError `not_found` when it is empty
 */
export const param = (request: ApiRequest<unknown>, name: string): string => {
  const value = request.params[name];
  if (value === undefined || value === "") {
    throw new RequestError("not_found", `The path lacks its ${name}.`);
  }
  return value;
};

/** @returns whether the client has this version already (RFC 9110, 13.1.2: weak comparison) */
export const hasVersion = (request: ApiRequest<unknown>, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === etag);
