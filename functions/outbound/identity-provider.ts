import type { IncomingMessage } from "node:http";
import type { Configuration, IDToken, UserInfoResponse } from "openid-client";
import {
  type IdentityAnswer,
  type IdentityFlow,
  type IdentityProvider,
  IdentityRefused,
  type IdentitySettings,
  IdentityUnavailable,
} from "../domain/sessions/identity.ts";
import { type Reaches, reachable } from "./addresses.ts";
import { send } from "./request.ts";

/** The operator's OpenID Connect provider: authorization code flow with PKCE, by the package `openid-client`. */

/** Timeout of each request to the provider; a sign-in has at most four. */
const REQUEST_MS_MAX = 5_000;

/** Maximum size of a response; discovery documents and key sets have some kilobytes. */
const RESPONSE_BYTES_MAX = 256_000;

/** How long the discovery document is used. The package reads changed signing keys by itself. */
const DISCOVERY_MS = 3_600_000;

/** Accepted difference between the clocks of the provider and of the service. */
const CLOCK_SECONDS_MAX = 30;

const SCOPE = "openid email";

/** Networks of the operator. An issuer is named by the operator, not by a client, so its host may be in one of them. */
const PRIVATE_NETWORKS = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1",
  "fc00::/7",
];

export interface ProviderWorld {
  /** Private addresses and networks that other hosts of the provider may have. */
  readonly importAllowed: readonly string[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

type Library = typeof import("openid-client");

/** The package and the discovered provider. */
interface Discovered {
  readonly client: Library;
  readonly config: Configuration;
  readonly at: number;
}

export const identityProvider = (settings: IdentitySettings, world: ProviderWorld): IdentityProvider => {
  let known: Promise<Discovered> | undefined;
  const discovered = async (): Promise<Discovered> => {
    const last = await known?.catch(() => undefined);
    const current =
      last === undefined || world.clock() - last.at >= DISCOVERY_MS ? discover(settings, world) : Promise.resolve(last);
    known = current;
    return current;
  };
  return {
    name: settings.name ?? new URL(settings.issuer).host,
    signInUrl: async (flow) => {
      const { client, config } = await discovered();
      return client.buildAuthorizationUrl(config, {
        redirect_uri: flow.redirectUrl,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
      }).href;
    },
    emailOf: async (flow, answer) => verifiedEmail(await claimsOf(await discovered(), flow, answer)),
  };
};

/** The package is loaded for the first sign-in. */
const discover = async (settings: IdentitySettings, world: ProviderWorld): Promise<Discovered> => {
  const { issuer, clientId, clientSecret } = settings;
  const client = await import("openid-client");
  const server = new URL(issuer);
  const connection = {
    [client.customFetch]: providerFetch(server, world),
    timeout: REQUEST_MS_MAX / 1_000,
  };
  const allowsPlain = server.protocol === "http:" ? [client.allowInsecureRequests] : [];
  try {
    const found = await client.discovery(server, clientId, clientSecret, undefined, {
      ...connection,
      execute: allowsPlain,
    });
    const metadata = found.serverMetadata();
    // Without this list, a provider supports `client_secret_basic` (OpenID Connect Discovery 1.0, 3).
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost;
    const options = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_SECONDS_MAX };
    const config = new client.Configuration(metadata, clientId, options, authentication(clientSecret));
    Object.assign(config, connection);
    // By default the package trusts TLS for an ID token from the token endpoint. Its signature is verified, too.
    for (const allow of [...allowsPlain, client.enableNonRepudiationChecks]) {
      allow(config);
    }
    return { client, config, at: world.clock() };
  } catch (error) {
    throw new IdentityUnavailable("The identity provider could not be reached.", { cause: error });
  }
};

/**
 * Verifies the answer and the ID token: state, issuer, signature, audience, expiry and nonce.
 *
 * @returns the claims about the email address, of the user info endpoint if the ID token has none
 */
const claimsOf = async (
  { client, config }: Discovered,
  flow: IdentityFlow,
  { code, state, iss }: IdentityAnswer,
): Promise<IDToken | UserInfoResponse> => {
  const url = new URL(flow.redirectUrl);
  url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
  try {
    const tokens = await client.authorizationCodeGrant(config, url, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined || claims.email !== undefined) {
      return claims ?? { sub: "" };
    }
    return await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  } catch (error) {
    if (isUnavailable(error)) {
      throw new IdentityUnavailable("The identity provider could not be reached.", { cause: error });
    }
    throw new IdentityRefused("The identity provider's answer is not valid. Start again.", { cause: error });
  }
};

const verifiedEmail = ({ email, email_verified }: IDToken | UserInfoResponse): string => {
  if (typeof email !== "string" || email === "") {
    throw new IdentityRefused("The identity provider did not send your email address.");
  }
  if (email_verified !== true) {
    throw new IdentityRefused("Your email address is not verified by the identity provider.");
  }
  return email;
};

/** An error of the connection, or a 5xx of the provider. */
const isUnavailable = (error: unknown): boolean => {
  const { cause, status } = error instanceof Error ? (error as Error & { status?: number }) : {};
  return error instanceof ProviderError || cause instanceof ProviderError || (status ?? 0) >= 500;
};

/** A request to the provider that failed. */
class ProviderError extends Error {}

type Fetch = (
  url: string,
  options: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: unknown;
    readonly signal?: AbortSignal;
  },
) => Promise<Response>;

/** Requests of the package, with our address rules, without redirects, and with bounded responses. */
const providerFetch = (issuer: URL, { importAllowed }: ProviderWorld): Fetch => {
  const ofIssuer = reachable([...PRIVATE_NETWORKS, ...importAllowed]);
  const ofOthers = reachable(importAllowed);
  return async (text, { method, headers, body, signal }) => {
    const url = new URL(text);
    const reaches: Reaches = url.hostname === issuer.hostname ? ofIssuer : ofOthers;
    const timeout = AbortSignal.timeout(REQUEST_MS_MAX);
    try {
      const response = await send({
        method: method === "POST" ? "POST" : "GET",
        url,
        headers,
        ...(body != null && { body: String(body) }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        reaches,
      });
      const { statusCode = 500, headers: received } = response;
      const type = received["content-type"] ?? "application/octet-stream";
      return new Response(await bytesOf(response), { status: statusCode, headers: { "content-type": type } });
    } catch (error) {
      throw new ProviderError(`${url.origin} failed`, { cause: error });
    }
  };
};

const bytesOf = async (response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > RESPONSE_BYTES_MAX) {
      response.destroy();
      throw new Error(`The response has more than ${RESPONSE_BYTES_MAX} bytes.`);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
};
