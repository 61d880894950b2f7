import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { MetricsRegistry } from "./prometheus.ts";

/** Who can read the metrics: clients on this machine, everyone, or holders of the token. */
export type MetricsAccess = "this-machine" | "public" | { readonly token: string };

/** Milliseconds that a response is cached, so that frequent requests cost nothing. */
const FRESH_MS = 1_000;

/** Headers that indicate a proxied request. */
const PROXIED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Serves `/metrics`. @returns whether it sent a response: 401 if a token is required and this one is not valid. If only
 * this machine may read them, others get 404
 */
export type MetricsPage = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The metrics in the Prometheus text format. They show the load of the service and its rejections, but no client data:
 * no accounts, names or addresses.
 */
export const metricsPage = (
  registry: MetricsRegistry,
  { access, clock }: { readonly access: MetricsAccess; readonly clock: () => number },
): MetricsPage => {
  let last: { readonly at: number; readonly text: Promise<string> } | undefined;
  const text = (): Promise<string> => {
    const now = clock();
    if (last === undefined || Math.abs(now - last.at) >= FRESH_MS) {
      last = { at: now, text: registry.text() };
    }
    return last.text;
  };
  return async (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return false;
    }
    if (!mayRead(request, access)) {
      return typeof access === "object" && refuse(request, response);
    }
    const body = Buffer.from(await text());
    response.writeHead(200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "content-length": body.length,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
};

const refuse = (request: IncomingMessage, response: ServerResponse): true => {
  const body = "Missing or invalid token. Send ANYFORM_METRICS_TOKEN in `Authorization: Bearer TOKEN`.\n";
  response.writeHead(401, {
    "www-authenticate": 'Bearer realm="anyform metrics"',
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
  return true;
};

const mayRead = (request: IncomingMessage, access: MetricsAccess): boolean => {
  if (access === "public") {
    return true;
  }
  return access === "this-machine" ? isFromThisMachine(request) : hasToken(request, access.token);
};

/**
 * Whether the request comes from this machine. Excludes requests of a local proxy for other clients, if it sends a
 * forwarding header, and DNS rebinding by a web page, whose host name the browser sends in `Host`.
 */
const isFromThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? "") &&
  PROXIED.every((name) => headers[name] === undefined) &&
  isOwnName(URL.parse(`http://${headers.host}`)?.hostname ?? "");

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\./.test(address) || address === "::1";

const isOwnName = (name: string): boolean => {
  const bare = name.replace(/^\[|\]$/g, "");
  return bare === "localhost" || (isIP(bare) !== 0 && isLoopback(bare));
};

/** Compares hashes in constant time. */
const hasToken = ({ headers }: IncomingMessage, token: string): boolean => {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return timingSafeEqual(sha256(given), sha256(token));
};

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
