import { isIP } from "node:net";

/** The destination of a request to the proxy. */
export interface Target {
  /** A host name in lower case, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A plain HTTP request to forward. */
export interface ForwardedRequest {
  readonly target: Target;
  /** The path with its query. */
  readonly path: string;
  /** The value of the `Host` header. */
  readonly authority: string;
}

const AUTHORITY = /^(?<host>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253}):(?<port>[0-9]{1,5})$/i;

/** Web servers use these ports and no others below 1024: mail servers and the like are not contacted. */
const isWebPort = (port: number): boolean => port === 80 || port === 443 || (port >= 1_024 && port <= 65_535);

/** @returns the destination of a CONNECT request; undefined if it is not a host and a port that may be connected to */
export const tunnelTarget = (authority: string): Target | undefined => {
  const { host = "", port = "" } = AUTHORITY.exec(authority)?.groups ?? {};
  return targetOf(host, Number(port));
};

/** Methods that browsers send. TRACE is not one of them, and CONNECT has no URL. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** @returns a request with an absolute `http:` URL; undefined if it may not be forwarded */
export const forwardedRequest = (method: string, text: string): ForwardedRequest | undefined => {
  const url = METHODS.has(method) && /^http:\/\/[^/\\@]/i.test(text) ? URL.parse(text) : null;
  if (url === null || url.protocol !== "http:" || url.username !== "" || url.password !== "") {
    return undefined;
  }
  const target = targetOf(url.hostname, Number(url.port || 80));
  return target && { target, path: `${url.pathname}${url.search}`, authority: url.host };
};

const targetOf = (name: string, port: number): Target | undefined => {
  const host = name.replace(/^\[|\]$/g, "").toLowerCase();
  const isBracketed = name.startsWith("[");
  return host === "" || !isWebPort(port) || (isBracketed && isIP(host) !== 6) ? undefined : { host, port };
};
