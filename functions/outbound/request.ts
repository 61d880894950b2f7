import { lookup } from "node:dns";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";

/** A request to a stranger's server, in the name of a client. */
export interface OutboundRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
  /** Tells whether we connect to an address. */
  readonly reaches: (address: string) => boolean;
}

/** The address leads somewhere that we do not go. */
export class AddressRefused extends Error {}

/**
 * Sends the request over a connection of its own, and follows no redirect. The addresses that the name stands for are
 * checked, all of them, and just those are connected to: whatever the name stands for a moment later does not matter.
 *
 * @throws AddressRefused; Error of the network
 */
export const send = (outbound: OutboundRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body, signal, reaches } = outbound;
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (!/^https?:$/.test(url.protocol)) {
      reject(new AddressRefused(`${url.protocol} is not a way that files are fetched.`));
      return;
    }
    // The system is not asked for the address of an address. `URL` has written odd forms of them (octal, one number) plainly.
    if (isIP(host) !== 0 && !reaches(host)) {
      reject(refusal(host));
      return;
    }
    const options: RequestOptions = {
      method,
      // Compressed, a small answer could be without end.
      headers: { "accept-encoding": "identity", "user-agent": "anyform", ...headers },
      agent: false,
      lookup: checkedLookup(reaches),
      signal,
      maxHeaderSize: 16_384,
    };
    const sent = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, resolve);
    sent.once("error", reject);
    sent.end(body);
  });

const checkedLookup =
  (reaches: OutboundRequest["reaches"]): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, [], 0);
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => !reaches(address))) {
        callback(refusal(hostname), [], 0);
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };

const refusal = (host: string): AddressRefused =>
  new AddressRefused(`${host} is an address within a private network, or of no host.`);
