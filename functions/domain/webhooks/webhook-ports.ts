import type { WebhookSecret } from "../accounts/plans.ts";
import type { JobQuery, Page } from "../ports.ts";
import type { WebhookAttempt, WebhookMessage } from "./message.ts";

/** A message that is sent once. */
export interface SignedMessage {
  readonly id: string;
  readonly url: string;
  readonly body: string | Uint8Array;
  /** In addition to those of the standard. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets: readonly WebhookSecret[];
  /** When it is sent, milliseconds since 1970. */
  readonly at: number;
}

/** Sends a message once. A failure is a part of the attempt. */
export type WebhookTester = (message: SignedMessage) => Promise<WebhookAttempt>;

/** A page of messages. */
export interface WebhookQuery extends Pick<JobQuery, "accountId" | "after" | "limit"> {
  /** The endpoint, or `default`: messages to the webhook URLs of the account and its jobs. @default all */
  readonly endpointId?: string;
}

/** Webhook messages, and those that deliver exports (`exp_…`) and notices of quotas (`mai_…`), which are not listed. */
export interface WebhookStore {
  /** Adds the message unless its ID exists. @returns whether it was added */
  create(message: WebhookMessage): Promise<boolean>;
  get(id: string): Promise<WebhookMessage | undefined>;
  /**
   * Reads a limited number of messages, so a page of an endpoint can have fewer than `limit` and still a `next`.
   * @returns messages of the account, newest first
   */
  list(query: WebhookQuery): Promise<Page<WebhookMessage>>;
  /**
   * Claims a pending message for one attempt, if `dueAt` is `from`, which is set to `until`. @returns whether it was
   * claimed
   */
  claim(id: string, from: number, until: number): Promise<boolean>;
  /** Adds an attempt and sets the next state of the message. */
  record(id: string, attempt: WebhookAttempt, next: Pick<WebhookMessage, "status" | "dueAt">): Promise<void>;
  /** Makes the message pending again, due at this time. @returns whether the message exists */
  revive(id: string, dueAt: number): Promise<boolean>;
  /** Deletes the message. A missing message is not an error. */
  remove(id: string): Promise<void>;
  /** @returns pending messages whose `dueAt` has passed, most overdue first */
  due(now: number, limit: number): Promise<readonly WebhookMessage[]>;
}
