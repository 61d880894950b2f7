import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import type { StripeSettings } from "../../../functions/config.ts";
import { addressOf } from "../address.ts";

/**
 * A small Stripe on this machine, which responds as documented at docs.stripe.com/api: form requests with a bearer key,
 * JSON responses and errors, the same response for the same idempotency key. Its events are signed by Stripe's own
 * package.
 */

/** A received request, its form with Stripe's names of nested fields: `subscription_data[metadata][account_id]`. */
export interface Asked {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

/** A subscription with the used fields; times are in seconds. */
export interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customer: string;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: number | null;
  readonly ended_at: number | null;
  readonly current_period_end: number;
}

/** @returns the subscription after Checkout, of an account that has paid for a month */
export const subscriptionRecord = (accountId: string, over: Partial<Subscription> = {}): Subscription => ({
  id: "sub_1",
  status: "active",
  metadata: { account_id: accountId },
  customer: "cus_1",
  cancel_at_period_end: false,
  cancel_at: null,
  ended_at: null,
  current_period_end: Math.floor(Date.now() / 1_000) + 30 * 86_400,
  ...over,
});

/** An event as it is received. */
export interface SignedMessage {
  readonly body: string;
  readonly signature: string;
}

export interface StripeService {
  readonly settings: StripeSettings;
  readonly asked: Asked[];
  /** By ID. */
  readonly subscriptions: Map<string, Subscription>;
  /** Whether requests get no useful response. */
  down: "no" | "disconnected" | "overloaded";
  /** Called before a subscription is returned. */
  onLook: () => Promise<void>;
  /** @returns an event of this type about the object, signed now or at the given time, in milliseconds since 1970 */
  message(type: string, object: object, id?: string, at?: number): SignedMessage;
  close(): Promise<void>;
}

const SECRET_KEY = "sk_test_51AnyformTests";

export const startStripe = async (): Promise<StripeService> => {
  const sessions = new Map<string, { form: string; answer: object }>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = await text(request);
    const path = request.url ?? "";
    service.asked.push({ path, form: Object.fromEntries(new URLSearchParams(form)) });
    if (service.down === "disconnected") {
      response.destroy();
      return;
    }
    const [status, body] = await reply(request, path, form);
    response.writeHead(status, { "content-type": "application/json", "request-id": "req_1" });
    response.end(JSON.stringify(body));
  };
  const reply = async (request: IncomingMessage, path: string, form: string): Promise<readonly [number, object]> => {
    if (service.down === "overloaded") {
      return problem(503, "api_error", "overloaded");
    }
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return problem(401, "invalid_request_error", undefined);
    }
    const [, resource = "", id = ""] =
      /^\/v1\/(checkout\/sessions|billing_portal\/sessions|subscriptions)\/?(\w*)/.exec(path) ?? [""];
    if (resource === "subscriptions") {
      await service.onLook();
      const found = service.subscriptions.get(id);
      return found ? [200, subscriptionObject(found)] : problem(404, "invalid_request_error", "resource_missing");
    }
    return resource === "" ? problem(404, "invalid_request_error", undefined) : session(request, resource, form);
  };
  const session = (request: IncomingMessage, resource: string, form: string): readonly [number, object] => {
    const key = String(request.headers["idempotency-key"] ?? sessions.size);
    const first = sessions.get(key);
    if (first !== undefined && first.form !== form) {
      return problem(400, "idempotency_error", undefined);
    }
    const number = sessions.size + 1;
    const made = first ?? { form, answer: { id: `cs_${number}`, url: `https://stripe.example/${resource}/${number}` } };
    sessions.set(key, made);
    return [200, made.answer];
  };
  const stripe = new Stripe(SECRET_KEY);
  const webhookSecret = "whsec_anyform_tests";
  const service: StripeService = {
    settings: {
      secretKey: SECRET_KEY,
      webhookSecret,
      price: "price_29eur",
      api: await addressOf(server),
    },
    asked: [],
    subscriptions: new Map(),
    down: "no",
    onLook: async () => {},
    message: (type, object, id = `evt_${crypto.randomUUID()}`, at = Date.now()) => {
      const body = JSON.stringify({ id, object: "event", type, data: { object } });
      const timestamp = Math.floor(at / 1_000);
      const header = { payload: body, secret: webhookSecret, timestamp };
      return { body, signature: stripe.webhooks.generateTestHeaderString(header) };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
};

const problem = (status: number, type: string, code: string | undefined): readonly [number, object] => [
  status,
  { error: { type, ...(code !== undefined && { code }), message: "Simulated error." } },
];

/** Since 2025-03-31 the period is on the items. */
const subscriptionObject = ({ current_period_end, ...subscription }: Subscription): object => ({
  object: "subscription",
  ...subscription,
  items: { object: "list", data: [{ id: "si_1", object: "subscription_item", current_period_end }] },
});
