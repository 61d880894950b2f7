import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { ApiResult } from "../../functions/api/request.ts";
import type { Context } from "../../functions/domain/ports.ts";
import { asError, logger } from "../../functions/logger.ts";
import { type Reaches, reachable } from "../../functions/outbound/addresses.ts";
import type { FileToPut } from "../../functions/outbound/put-file.ts";
import { type Background, background } from "./background.ts";
import { type Conversions, conversionsOf, type Invoke } from "./conversions.ts";
import { GotenbergError } from "./errors.ts";
import { type GotenbergForm, readGotenbergForm } from "./form.ts";
import { type Operation, operations } from "./operations.ts";
import { type Webhook, webhookOf } from "./webhook.ts";

/**
 * Gotenberg's routes, which accept its forms and return its responses: a layer over the operations of the API, with the
 * same keys, quotas and limits.
 */

export interface GotenbergRoutes {
  /** @returns the response; undefined if the path is not one of Gotenberg's */
  (request: IncomingMessage, path: string, invoke: Invoke): Promise<ApiResult | undefined>;
  /** Waits for the forms that are processed after their response, for a limited time. */
  drain(milliseconds: number): Promise<void>;
}

type Services = Pick<Context, "files" | "importAllowed" | "jobs" | "scratchFolder">;

export const gotenbergRoutes = (context: Services): GotenbergRoutes => {
  const later = background((error) => logger.error("a form was not processed", { error: asError(error) }));
  const reaches = reachable(context.importAllowed ?? []);
  const serve = async (request: IncomingMessage, path: string, invoke: Invoke) => {
    if (!path.startsWith("/forms/") && path !== "/version") {
      return undefined;
    }
    const trace = headerOf(request, "gotenberg-trace") ?? randomUUID();
    const exchange = { context, reaches, later, trace, request, path, invoke };
    const result = await answer(exchange).catch(asText);
    return { ...result, headers: { ...result.headers, "gotenberg-trace": trace } };
  };
  return Object.assign(serve, { drain: later.drain });
};

interface Exchange {
  readonly context: Services;
  readonly reaches: Reaches;
  readonly later: Background;
  readonly trace: string;
  readonly request: IncomingMessage;
  readonly path: string;
  readonly invoke: Invoke;
}

const answer = async (exchange: Exchange): Promise<ApiResult> => {
  const { request, path, invoke, reaches, trace } = exchange;
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
  const webhook = webhookOf(request.headers, { reaches, trace });
  const authorization = authorizationOf(request);
  await checkKey(invoke, authorization);
  return answerForm(exchange, { operation, webhook, authorization });
};

interface Work {
  readonly operation: Operation;
  readonly webhook: Webhook | undefined;
  readonly authorization: string;
}

/** With a webhook, the response is sent when the form has been read. */
const answerForm = async (exchange: Exchange, work: Work): Promise<ApiResult> => {
  const { context, invoke, request, reaches } = exchange;
  const { operation, webhook, authorization } = work;
  const folder = await mkdtemp(join(context.scratchFolder, "form-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  let isContinued = false;
  try {
    const contentType = headerOf(request, "content-type") ?? "";
    const form = await readGotenbergForm({ body: request, contentType, folder, reaches });
    const conversions = conversionsOf({ context, invoke, authorization, folder });
    const name = headerOf(request, "gotenberg-output-filename");
    if (webhook === undefined) {
      const last = await operation(form, conversions.convert);
      return "json" in last ? jsonAnswer(last.json) : await conversions.respond(last, name);
    }
    exchange.later.start(authorization, () => deliver({ form, operation, conversions, name }, webhook).finally(remove));
    isContinued = true;
    return { statusCode: 204 };
  } finally {
    if (!isContinued) {
      await remove();
    }
  }
};

interface Delivery {
  readonly form: GotenbergForm;
  readonly operation: Operation;
  readonly conversions: Conversions;
  readonly name: string | undefined;
}

const deliver = async ({ form, operation, conversions, name }: Delivery, webhook: Webhook): Promise<void> => {
  let result: FileToPut;
  try {
    const last = await operation(form, conversions.convert);
    if ("json" in last) {
      throw new GotenbergError(400, "The webhook headers are for routes that result in files.");
    }
    result = await conversions.finish(last, name);
  } catch (error) {
    await webhook.fail(error);
    return;
  }
  await webhook.succeed(result);
};

const jsonAnswer = (value: unknown): ApiResult => ({
  statusCode: 200,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(value),
});

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  headers[name]?.toString() || undefined;

/** Some clients send the key in a separate header. */
const authorizationOf = (request: IncomingMessage): string => {
  const key = headerOf(request, "x-api-key");
  return key === undefined ? bearerOf(headerOf(request, "authorization")) : `Bearer ${key}`;
};

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
