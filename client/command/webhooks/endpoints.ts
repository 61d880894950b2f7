import type { NewWebhookEndpoint, WebhookEndpoint, WebhookTest } from "../../api.ts";
import { type WebhookEndpoints, webhookEndpointsOf } from "../../calls/webhook-endpoints.ts";
import { AnyformError } from "../../http/errors.ts";
import { UsageError } from "../exit.ts";
import { printable } from "../progress-bar.ts";
import type { Run } from "../run.ts";
import { serviceFor } from "../settings.ts";

/** Each action takes the endpoints of the account and the word after the action, and prints its result. */
type Action = (endpoints: WebhookEndpoints, word: string, run: Run) => Promise<void>;

/** `webhooks endpoints | add URL | test ID | enable ID | disable ID | remove ID`. */
export const manageEndpoints = async (run: Run, action: string, words: readonly string[]): Promise<void> => {
  const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined;
  const [word = ""] = words;
  if (chosen === undefined || words.length !== (action === "endpoints" ? 0 : 1)) {
    throw new UsageError(
      "Use `anyform webhooks` with listen, secret, endpoints, add URL, test ID, enable ID, disable ID or remove ID.",
    );
  }
  await chosen(webhookEndpointsOf(await serviceFor({ key: "required" })), word, run);
};

const actions: Readonly<Record<string, Action>> = {
  endpoints: async (endpoints, _, run) => {
    for (const endpoint of (await endpoints.list()).endpoints) {
      printEndpoint(endpoint, run);
    }
  },
  add: async (endpoints, url, run) => {
    const events = run.args
      .text("events")
      ?.split(",")
      .map((each) => each.trim());
    // The service checks the types, and lists those that exist.
    printEndpoint(await endpoints.create({ url, ...(events && { events }) } as NewWebhookEndpoint), run);
  },
  enable: async (endpoints, id, run) => printEndpoint(await endpoints.update(id, { enabled: true }), run),
  disable: async (endpoints, id, run) => printEndpoint(await endpoints.update(id, { enabled: false }), run),
  remove: (endpoints, id) => endpoints.remove(id),
  test: async (endpoints, id, { args }) => {
    const result = await endpoints.test(id);
    console.log(args.flag("json") ? JSON.stringify(result) : outcomeOf(result));
    if (!result.delivered) {
      throw new AnyformError({
        code: "webhook_not_delivered",
        detail: "The endpoint did not accept the test message.",
      });
    }
  },
};

const printEndpoint = (endpoint: WebhookEndpoint, { args }: Run): void => {
  const { id, url, events, enabled } = endpoint;
  const state = enabled ? "" : "  disabled";
  console.log(args.flag("json") ? JSON.stringify(endpoint) : `${id}  ${printable(url)}  ${events.join(",")}${state}`);
};

const outcomeOf = ({ status, error, duration_ms }: WebhookTest): string =>
  `${status === null ? `no response: ${printable(error ?? "")}` : `status ${status}`} (${duration_ms} ms)`;
