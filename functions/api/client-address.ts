import { isIP } from "node:net";
import type { Context } from "../domain/ports.ts";
import { isSame } from "../domain/signing-keys.ts";
import type { ApiEvent } from "./request.ts";

/**
 * Where a request comes from, and where it was sent to. What a client says of either is believed of proxies alone that the
 * operator has named: by how many there are on one machine, and on AWS by the secret that the distribution sends along.
 */

type Trust = Pick<Context, "edgeSecret" | "trustedProxies">;

/** @returns the address of the client */
export const clientAddress = (
  { headers, requestContext }: Pick<ApiEvent, "headers" | "requestContext">,
  trust: Trust,
): string => {
  const { sourceIp } = requestContext.http;
  const list = (headers["x-forwarded-for"] ?? "").split(",").map(addressIn);
  if (isFromEdge(headers, trust)) {
    // The distribution has added the client's address, and API Gateway behind it the distribution's.
    return list.slice(0, list.at(-1) === sourceIp ? -1 : undefined).at(-1) ?? sourceIp;
  }
  const hops = trust.trustedProxies ?? 0;
  // The last proxy is who connects; each has put at the end of the list who connected to it.
  return (hops > 0 ? list.at(-hops) : undefined) ?? sourceIp;
};

/** @returns the host that the client has asked; behind the distribution the one that it was asked by */
export const askedHost = (
  { headers, requestContext }: Pick<ApiEvent, "headers" | "requestContext">,
  trust: Trust,
): string => (isFromEdge(headers, trust) ? headers["x-anyform-host"] : undefined) ?? requestContext.domainName;

/** @returns whether the request came by the distribution, which alone knows the secret */
export const isFromEdge = (headers: ApiEvent["headers"], { edgeSecret }: Trust): boolean =>
  edgeSecret !== undefined && isSame(headers["x-anyform-edge"] ?? "", edgeSecret);

/** Some proxies add the port: `203.0.113.9:51820`, `[2001:db8::1]:51820`. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  const plain = /^\[([^\]]*)\]/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(plain) === 0 ? undefined : plain;
};
