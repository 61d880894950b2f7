import type { Account, WebhookSecret } from "../accounts/plans.ts";
import { newId } from "../ids.ts";
import type { Context } from "../ports.ts";
import { newWebhookSecret, type WebhookType, webhookTypes } from "./message.ts";

/** An endpoint of an account, which receives the chosen events of all its jobs. Times are milliseconds since 1970. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookType[];
  readonly description?: string;
  /** A disabled endpoint receives no messages. */
  readonly enabled: boolean;
  /** Newest first; older ones are valid until they expire. */
  readonly secrets: readonly WebhookSecret[];
  readonly createdAt: number;
}

/** The endpoints of a job or a pipeline, as they were when it was accepted. */
export interface JobEndpoints {
  /** The base URL of the service for the URLs in the message. */
  readonly baseUrl: string;
  readonly to: readonly JobEndpoint[];
}

export type JobEndpoint = Pick<WebhookEndpoint, "events" | "id" | "url">;

/** The ID of the webhook URL of the account, which is an endpoint for all events of jobs and pipelines. */
export const DEFAULT_ENDPOINT = "default";

/** The events of the default endpoint. */
const jobEvents: readonly WebhookType[] = webhookTypes.filter((type) => !type.startsWith("quota."));

/** @returns the endpoints of the account that receive at least one of the events, with these events */
export const endpointsFor = (
  { webhookEndpoints = [] }: Pick<Account, "webhookEndpoints">,
  events: readonly WebhookType[],
): readonly JobEndpoint[] =>
  webhookEndpoints.flatMap(({ id, url, enabled, events: own }) => {
    const chosen = own.filter((event) => events.includes(event));
    return enabled && chosen.length > 0 ? [{ id, url, events: chosen }] : [];
  });

/** @returns all endpoints of the account, the default one first */
export const endpointsOf = (
  account: Pick<Account, "createdAt" | "webhookEndpoints" | "webhookSecrets" | "webhookUrl">,
): readonly WebhookEndpoint[] => {
  const { webhookUrl, webhookSecrets = [], webhookEndpoints = [], createdAt } = account;
  return [
    ...(webhookUrl === undefined
      ? []
      : [
          {
            id: DEFAULT_ENDPOINT,
            url: webhookUrl,
            events: jobEvents,
            enabled: true,
            secrets: webhookSecrets,
            createdAt: webhookSecrets.at(-1)?.createdAt ?? createdAt,
          },
        ]),
    ...webhookEndpoints,
  ];
};

/** @returns a new endpoint with its first secret */
export const newEndpoint = (
  { random }: Pick<Context, "random">,
  fields: Omit<WebhookEndpoint, "createdAt" | "id" | "secrets">,
  now: number,
): WebhookEndpoint => ({
  ...fields,
  id: newId("endpoint", now, random),
  secrets: [{ secret: newWebhookSecret(random), createdAt: now }],
  createdAt: now,
});

/** @returns a new secret, and the previous one, which also signs until the end of the overlap */
export const rotatedSecrets = (
  [latest]: readonly WebhookSecret[],
  secret: WebhookSecret,
  overlapMs: number,
): readonly WebhookSecret[] => [
  secret,
  ...(latest === undefined ? [] : [{ ...latest, expiresAt: secret.createdAt + overlapMs }]),
];
