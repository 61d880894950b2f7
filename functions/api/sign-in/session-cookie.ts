import { SESSION_COOKIE_CHARACTERS_MAX } from "../../domain/sessions/sign-in-limits.ts";
import type { ApiRequest } from "../request.ts";

/**
 * The session cookie. Over HTTPS its name starts with `__Host-`, so that no other host and no page without TLS can set
 * it (RFC 6265bis, 4.1.3.2). This requires `Secure`, and browsers reject such cookies over plain HTTP, as on one
 * machine: there, both are omitted.
 */

type Reached = Pick<ApiRequest<unknown>, "baseUrl">;

const isSecure = ({ baseUrl }: Reached): boolean => baseUrl.startsWith("https:");

const nameFor = (request: Reached): string => (isSecure(request) ? "__Host-anyform" : "anyform");

/** @returns the value of the session cookie; undefined when it is missing or cannot be valid */
export const sessionCookie = (request: Pick<ApiRequest<unknown>, "baseUrl" | "headers">): string | undefined => {
  const start = `${nameFor(request)}=`;
  const pair = (request.headers.cookie ?? "").split(/; */).find((each) => each.startsWith(start));
  const value = pair?.slice(start.length);
  return value === "" || (value?.length ?? 0) > SESSION_COOKIE_CHARACTERS_MAX ? undefined : value;
};

/** @returns the header that sets the cookie for this time */
export const cookieHeaders = (request: Reached, value: string, milliseconds: number): Record<string, string> => {
  const secure = isSecure(request) ? "; Secure" : "";
  const age = Math.floor(milliseconds / 1_000);
  return {
    "set-cookie": `${nameFor(request)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`,
  };
};

/** @returns the header that removes the cookie */
export const noCookieHeaders = (request: Reached): Record<string, string> => cookieHeaders(request, "", 0);
