import { setTimeout as pause } from "node:timers/promises";
import { Agent, type BodyInit, fetch } from "undici";
import type { Ledger } from "./judge/ledger.ts";

/** One request, with as many tries as needed. */
export interface Wish {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Created for each try, as a stream can be sent only once. */
  readonly body?: () => BodyInit;
  /** Called before each try. */
  readonly onTry?: () => void;
}

export interface Reply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  // Responses of several operations: each reader uses what the OpenAPI document guarantees.
  readonly body: Record<string, unknown>;
}

export const agent = new Agent({ connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000 });

/** A paused service does not answer; a client times out after this many milliseconds, and retries. */
const TRY_MS_MAX = 35_000;
/** Total time of a client's tries: longer than any fault, and than a dead request holds an idempotency key. */
const PATIENCE_MS_MAX = 300_000;

/**
 * @param url the current URL of the service
 * @returns a function that sends a request until it is answered without a server error
 */
export const stubborn =
  (url: () => string, ledger: Ledger) =>
  async (wish: Wish): Promise<Reply> => {
    const end = Date.now() + PATIENCE_MS_MAX;
    let last = "";
    for (let tries = 0; Date.now() < end; tries += 1) {
      wish.onTry?.();
      ledger.requests += 1;
      const reply = await once(url(), wish).catch((error: unknown) => String(error));
      if (typeof reply !== "string" && !isPassing(reply)) {
        return reply;
      }
      ledger.unanswered += 1;
      last = typeof reply === "string" ? reply : `${reply.status} ${reply.body.code}`;
      await pause(Math.min(2_000, 100 * 1.5 ** tries));
    }
    throw new Error(`${wish.method} ${wish.path.replace(/dl_\w+/, "dl_…")} was not answered. Last error: ${last}`);
  };

const once = async (url: string, { method, path, key, headers = {}, body }: Wish): Promise<Reply> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, accept: "application/json", ...headers },
    signal: AbortSignal.timeout(TRY_MS_MAX),
    dispatcher: agent,
    ...(body && { body: body() }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
};

const isPassing = ({ status, body }: Reply): boolean =>
  status >= 500 || body.code === "rate_limited" || body.code === "idempotency_conflict";
