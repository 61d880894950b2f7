import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import type { IdentitySettings } from "../../../functions/domain/sessions/identity.ts";
import { addressOf } from "../address.ts";

/**
 * A certified OpenID Connect provider (the package oidc-provider) on this machine, and a user who signs in there. It
 * returns to any URL, because services of tests have any port.
 */
export interface TestProvider {
  readonly settings: IdentitySettings;
  /** The user of the next sign-in. */
  user: { readonly email?: string; readonly email_verified?: boolean };
  /** Changes the body of the provider's next responses, such as a token or a key set. */
  change: ((path: string, body: string) => string) | undefined;
  /** Signs the user in as a browser does. @returns the URL that the provider returns to */
  visit(signInUrl: string): Promise<URL>;
  close(): Promise<void>;
}

const CLIENT_ID = "anyform";
const CLIENT_SECRET = "a-secret-of-the-test-with-enough-characters";

export const startTestProvider = async (): Promise<TestProvider> => {
  const server = createServer();
  const issuer = await addressOf(server);
  const provider: TestProvider = {
    settings: { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, name: "Example ID" },
    user: { email: "ada@example.com", email_verified: true },
    change: undefined,
    visit: (url) => visit(url, issuer),
    close: () => closed(server),
  };
  const app = providerApp(issuer, () => provider.user).callback();
  server.on("request", (request, response) => {
    changeBody(request, response, () => provider.change);
    void app(request, response);
  });
  return provider;
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const providerApp = (issuer: string, userNow: () => TestProvider["user"]): Provider => {
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: ["https://anyform.test/"] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    cookies: { keys: ["a-key-of-the-test"] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...userNow() }),
    }),
  });
  provider.Client.prototype.redirectUriAllowed = () => true;
  return provider;
};

/** @returns the service's settings for the provider */
export const identityEnvironment = ({ settings }: TestProvider): Record<string, string> => ({
  ANYFORM_OIDC_ISSUER: settings.issuer,
  ANYFORM_OIDC_CLIENT_ID: settings.clientId,
  ANYFORM_OIDC_CLIENT_SECRET: settings.clientSecret,
});

/** A client that is not `fetch`: the test redirects to a page of the service, which does not exist here. */
const visit = async (start: string, issuer: string): Promise<URL> => {
  const cookies = new Map<string, string>();
  let [url, form] = [new URL(start), undefined as Record<string, string> | undefined];
  for (let steps = 0; steps < 12; steps += 1) {
    if (url.origin !== issuer) {
      return url;
    }
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    // The provider's development pages ask for any name, then for consent.
    const page = location === null ? await response.text() : "";
    form = location === null ? formOf(page) : undefined;
    url = new URL(location ?? actionOf(page), url);
  }
  throw new Error(`The provider did not return from ${start}.`);
};

const formOf = (page: string): Record<string, string> =>
  page.includes('value="login"') ? { prompt: "login", login: "user-1", password: "any" } : { prompt: "consent" };

const actionOf = (page: string): string => {
  const action = /action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) {
    throw new Error(`Not a form of the provider: ${page.slice(0, 500)}`);
  }
  return action;
};

const changeBody = (
  { url = "" }: IncomingMessage,
  response: ServerResponse,
  changeNow: () => TestProvider["change"],
): void => {
  const { end } = response;
  const ended = (...[body, ...rest]: Parameters<typeof end>): ServerResponse => {
    const change = changeNow();
    if (change === undefined || !(typeof body === "string" || body instanceof Uint8Array)) {
      return Reflect.apply(end, response, [body, ...rest]);
    }
    const changed = change(url, Buffer.from(body).toString());
    response.setHeader("content-length", Buffer.byteLength(changed));
    return Reflect.apply(end, response, [changed]);
  };
  response.end = ended as typeof end;
};
