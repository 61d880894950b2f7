import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { forwardedAddress } from "../../functions/api/middleware/client-address.ts";

/** The scheme and host, with its port, by which a client reached the service. */
export interface Origin {
  readonly protocol: "http" | "https";
  readonly host: string;
}

export type RequestOrigin = (request: IncomingMessage) => Origin;

export interface OriginRules {
  /** Further hosts that clients use, without a port. */
  readonly hosts: readonly string[];
  /** The number of trusted proxies. Only the last ones of `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies: number;
  /** The address that the service listens on. */
  readonly listensOn: string;
  /** Names and addresses of this machine. @default those of the operating system */
  readonly machineHosts?: () => readonly string[];
}

/** @returns the address of the client, as operations see it: with trusted proxies, the one that they report */
export const clientOf = ({ headers, socket }: IncomingMessage, trustedProxies = 0): string =>
  forwardedAddress(headers["x-forwarded-for"]?.toString(), socket.remoteAddress ?? "", trustedProxies);

/** What the request says, for tests of the AWS target: API Gateway only serves its own hosts. */
export const statedOrigin: RequestOrigin = ({ headers }) => ({
  protocol: headers["x-forwarded-proto"] === "https" ? "https" : "http",
  host: headers.host ?? "localhost",
});

/**
 * Clients choose the header `Host`, and its value becomes part of the URLs in responses, messages and emails. So it is
 * only used when it names this machine, or is listed. Otherwise the URLs contain the address that the client connected
 * to.
 */
export const requestOrigin = (rules: OriginRules): RequestOrigin => {
  const { hosts, listensOn, machineHosts = hostsOfMachine } = rules;
  const listed = new Set([listensOn, ...hosts].map(plainHost));
  const isLocalOnly = isLoopback(plainHost(listensOn));
  const isKnown = (name: string): boolean =>
    isLoopback(name) || listed.has(name) || (!isLocalOnly && machineHosts().map(plainHost).includes(name));
  return (request) => {
    const stated = URL.parse(`http://${request.headers.host ?? ""}`);
    const isUsable = stated !== null && stated.pathname === "/" && isKnown(plainHost(stated.hostname));
    return { protocol: protocolOf(request, rules), host: isUsable ? stated.host : connectedHost(request.socket) };
  };
};

/** Each proxy can append to the header, as to `X-Forwarded-For`, or replace it. */
const protocolOf = ({ headers }: IncomingMessage, { trustedProxies }: OriginRules): Origin["protocol"] => {
  const entries = String(headers["x-forwarded-proto"] ?? "").split(",");
  const entry = trustedProxies > 0 ? (entries.at(-trustedProxies) ?? entries[0]) : undefined;
  return entry?.trim().toLowerCase() === "https" ? "https" : "http";
};

/** IPv4 addresses of IPv6 sockets are shortened, and the zone of link-local ones is removed: URLs cannot contain it. */
const connectedHost = ({ localAddress = "127.0.0.1", localPort }: Socket): string => {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return `${isIP(address) === 6 ? `[${address}]` : address}:${localPort}`;
};

/** All of 127.0.0.0/8, and `localhost` with its subdomains (RFC 6761, 6.3). */
const isLoopback = (name: string): boolean =>
  name === "::1" || /^127(?:\.\d+){3}$/.test(name) || /^(?:.+\.)?localhost$/.test(name);

/** The name in lower case, without the brackets of IPv6 addresses and a final dot. */
const plainHost = (name: string): string =>
  (URL.parse(`http://${isIP(name) === 6 ? `[${name}]` : name}`)?.hostname ?? name)
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");

/** Other machines also reach the host name in `.local` (RFC 6762), and with or without its domain. */
const hostsOfMachine = (): readonly string[] => {
  const name = hostname();
  const label = name.split(".")[0] ?? name;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [name, label, `${label}.local`, ...addresses.map(({ address }) => address.replace(/%.*$/, ""))];
};
