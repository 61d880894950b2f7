import { createHash } from "node:crypto";

/** Sign-in with the operator's identity provider, by OpenID Connect. */

/** The operator's OpenID Connect settings. */
export interface IdentitySettings {
  /** The issuer URL, whose discovery document is at `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button on the sign-in page names. @default the host of the issuer */
  readonly name: string | undefined;
}

/** The secrets of one sign-in, and the page that the provider returns to. */
export interface IdentityFlow {
  readonly redirectUrl: string;
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

/** What the provider appends to the redirect URL. */
export interface IdentityAnswer {
  readonly code: string;
  readonly state: string;
  /** The issuer (RFC 9207), from providers that send it. */
  readonly iss?: string | undefined;
}

export interface IdentityProvider {
  readonly name: string;
  /** @returns the provider's page. @throws IdentityUnavailable */
  signInUrl(flow: IdentityFlow): Promise<string>;
  /** @returns the verified email address. @throws IdentityRefused, IdentityUnavailable */
  emailOf(flow: IdentityFlow, answer: IdentityAnswer): Promise<string>;
}

/** The provider or its answer is not accepted. The message is sent to the client; the cause is only logged. */
export class IdentityRefused extends Error {}

/** The provider was not reached or failed. The cause is only logged. */
export class IdentityUnavailable extends Error {}

/** The path of the page that the provider returns to, which the operator registers with the provider. */
const IDENTITY_RETURN_PATH = "/sign-in";

/**
 * @param answer the stored secret of the sign-in's challenge, of at least 256 random bits
 * @param baseUrl the public URL of the service
 */
export const identityFlow = (answer: string, baseUrl: string): IdentityFlow => ({
  redirectUrl: new URL(IDENTITY_RETURN_PATH, baseUrl).href,
  state: derived("state", answer),
  nonce: derived("nonce", answer),
  verifier: derived("verifier", answer),
});

/** The state and the nonce reach the browser and the provider, so neither reveals the secret or the other values. */
const derived = (use: string, secret: string): string =>
  createHash("sha256").update(`${use}\n${secret}`).digest("base64url");

/** A host of a private network: its name has no dot, or it is a private address. */
const PRIVATE_HOST =
  /^(?:[^.[]+|\[(?:::1|f[cd][^\]]*)\]|10\.[\d.]+|127\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+)$/;

/** @returns whether the text can be an issuer: an https URL, or an http URL in a private network */
export const isIssuer = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === "https:" || (url.protocol === "http:" && PRIVATE_HOST.test(url.hostname))) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ""
  );
};
