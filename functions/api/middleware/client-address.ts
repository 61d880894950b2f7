import { isIP } from "node:net";
import type { Context } from "../../domain/ports.ts";
import { isSame } from "../../domain/sessions/signing-keys.ts";
import type { ApiEvent } from "../request.ts";

/**
 * The client address and the requested host. Forwarding headers are trusted only from proxies that the operator
 * configured: by their number on one machine, and on AWS by the secret that the distribution sends.
 */

type Trust = Pick<Context, "edgeSecret" | "trustedProxies">;

/** @returns the address of the client */
export const clientAddress = (
  { headers, requestContext }: Pick<ApiEvent, "headers" | "requestContext">,
  trust: Trust,
): string => {
  const { sourceIp } = requestContext.http;
  if (isFromEdge(headers, trust)) {
    const list = (headers["x-forwarded-for"] ?? "").split(",").map(addressIn);
    // The distribution adds the client's address, and API Gateway, which follows, adds the distribution's.
    return list.slice(0, list.at(-1) === sourceIp ? -1 : undefined).at(-1) ?? sourceIp;
  }
  return forwardedAddress(headers["x-forwarded-for"], sourceIp, trust.trustedProxies);
};

/**
 * @param list the header `X-Forwarded-For`
 * @param peer the address of the connection
 * @returns the address of the client, across the number of trusted proxies
 */
export const forwardedAddress = (list: string | undefined, peer: string, trustedProxies = 0): string =>
  // The last proxy is the connecting peer. Each proxy appends the address of its peer to the list.
  (trustedProxies > 0 ? list?.split(",").map(addressIn).at(-trustedProxies) : undefined) ?? peer;

/** @returns the host that the client requested; behind the distribution, the host that was requested from it */
export const askedHost = (
  { headers, requestContext }: Pick<ApiEvent, "headers" | "requestContext">,
  trust: Trust,
): string => (isFromEdge(headers, trust) ? headers["x-anyform-host"] : undefined) ?? requestContext.domainName;

/** @returns whether the request came through the distribution, which alone knows the secret */
export const isFromEdge = (headers: ApiEvent["headers"], { edgeSecret }: Trust): boolean =>
  edgeSecret !== undefined && isSame(headers["x-anyform-edge"] ?? "", edgeSecret);

/** Some proxies add the port: `203.0.113.9:51820`, `[2001:db8::1]:51820`. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  const plain = /^\[([^\]]*)\]/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(plain) === 0 ? undefined : plain;
};
