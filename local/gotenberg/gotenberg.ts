import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { ApiResult } from "../../functions/api/request.ts";
import type { Context } from "../../functions/domain/ports.ts";
import { conversionsOf, type Invoke } from "./conversions.ts";
import { GotenbergError, notOffered } from "./errors.ts";
import { readGotenbergForm } from "./form.ts";
import { operations } from "./operations.ts";

/**
 * Gotenberg's routes, which accept its forms and return its responses: a layer over the operations of the API, with the
 * same keys, quotas and limits.
 */

/** @returns the response; undefined if the path is not one of Gotenberg's */
export type GotenbergRoutes = (
  request: IncomingMessage,
  path: string,
  invoke: Invoke,
) => Promise<ApiResult | undefined>;

type Services = Pick<Context, "files" | "jobs" | "scratchFolder">;

export const gotenbergRoutes =
  (context: Services): GotenbergRoutes =>
  async (request, path, invoke) => {
    if (!path.startsWith("/forms/") && path !== "/version") {
      return undefined;
    }
    const trace = headerOf(request, "gotenberg-trace") ?? randomUUID();
    const result = await answer(context, { request, path, invoke }).catch(asText);
    return { ...result, headers: { ...result.headers, "gotenberg-trace": trace } };
  };

interface Exchange {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly invoke: Invoke;
}

const answer = async (context: Services, { request, path, invoke }: Exchange): Promise<ApiResult> => {
  if (path === "/version") {
    return { statusCode: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "anyform" };
  }
  const operation = operations.get(path);
  if (operation === undefined) {
    throw new GotenbergError(404, "Not Found");
  }
  if (request.method !== "POST") {
    throw new GotenbergError(405, "Method Not Allowed");
  }
  if (headerOf(request, "gotenberg-webhook-url") !== undefined) {
    throw notOffered("The header 'Gotenberg-Webhook-Url'");
  }
  const authorization = bearerOf(headerOf(request, "authorization"));
  await checkKey(invoke, authorization);
  const folder = await mkdtemp(join(context.scratchFolder, "form-"));
  try {
    const form = await readGotenbergForm(request, headerOf(request, "content-type") ?? "", folder);
    const conversions = conversionsOf({ context, invoke, authorization, folder });
    const name = headerOf(request, "gotenberg-output-filename");
    const last = await operation(form, conversions.convert);
    return "json" in last ? jsonAnswer(last.json) : await conversions.respond(last, name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const jsonAnswer = (value: unknown): ApiResult => ({
  statusCode: 200,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(value),
});

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  headers[name]?.toString() || undefined;

/**
 * Clients of Gotenberg send a user name and a password: the password is the API key, or the user name if there is no
 * password.
 */
const bearerOf = (header: string | undefined): string => {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) {
    return header ?? "";
  }
  const [user = "", ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return `Bearer ${password.join(":") || user}`;
};

/** Checked before the body is read. @throws GotenbergError 401, 403, 429 */
const checkKey = async (invoke: Invoke, authorization: string): Promise<void> => {
  const { statusCode = 500 } = await invoke({ method: "GET", path: "/api/v1/account", headers: { authorization } });
  // A key may be limited to conversions.
  if (statusCode >= 400 && statusCode !== 403) {
    throw new GotenbergError(statusCode, statusCode === 401 ? "Unauthorized" : "The API key cannot be used now.");
  }
};

/** Gotenberg's errors are text. */
const asText = (error: unknown): ApiResult => {
  if (!(error instanceof GotenbergError)) {
    throw error;
  }
  const challenge = error.status === 401 ? { "www-authenticate": 'Basic realm="anyform"' } : {};
  return {
    statusCode: error.status,
    headers: { "content-type": "text/plain; charset=utf-8", ...challenge },
    body: error.message,
  };
};
