import { lookup } from "node:dns";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Reaches } from "./addresses.ts";

/** A request to an external server on behalf of a client. */
export interface OutboundRequest {
  readonly method: "DELETE" | "GET" | "MKCOL" | "PATCH" | "POST" | "PUT";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The body as a stream, instead of `body`. Its length must be in the headers. */
  readonly content?: AsyncIterable<Uint8Array>;
  /** Milliseconds without progress after which the request fails. @default only `signal` ends it */
  readonly silenceMs?: number;
  /** Aborts the request and its response. */
  readonly signal: AbortSignal;
  readonly reaches: Reaches;
}

/** The URL or one of its addresses is not allowed. */
export class AddressRefused extends Error {}

/**
 * Sends the request over a new connection, without following redirects. All addresses of the host are checked, and only
 * checked addresses are connected to, so later DNS changes have no effect.
 *
 * @throws AddressRefused, or a network error
 */
export const send = (outbound: OutboundRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body, signal, reaches } = outbound;
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (!/^https?:$/.test(url.protocol)) {
      reject(new AddressRefused(`${url.protocol} URLs are not supported.`));
      return;
    }
    // IP addresses are not resolved. `URL` has normalized unusual forms (octal, a single number).
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    if (isIP(host) !== 0 && !reaches(host, port)) {
      reject(refusal(host));
      return;
    }
    const options: RequestOptions = {
      method,
      // A small compressed response could expand without limit.
      headers: { "accept-encoding": "identity", "user-agent": "anyform", ...headers },
      agent: false,
      lookup: checkedLookup(reaches, port),
      signal,
      maxHeaderSize: 16_384,
    };
    const sent = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, resolve);
    // Also after a response that arrives before the body is sent.
    sent.on("error", reject);
    if (outbound.silenceMs !== undefined) {
      sent.setTimeout(outbound.silenceMs, () => sent.destroy(new Error("The server did not respond in time.")));
    }
    if (outbound.content === undefined) {
      sent.end(body);
    } else {
      pipeline(Readable.from(outbound.content), sent).catch(reject);
    }
  });

const checkedLookup =
  (reaches: Reaches, port: number): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, [], 0);
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => !reaches(address, port))) {
        callback(refusal(hostname), [], 0);
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };

const refusal = (host: string): AddressRefused =>
  new AddressRefused(`${host} is in a private network or does not resolve to a host.`);
