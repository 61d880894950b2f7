import type { JobQuery, Page } from "../ports.ts";
import type { WebhookAttempt, WebhookMessage } from "./webhook.ts";

/** Webhook messages, and those that deliver exports (`exp_…`), which are not listed. */
export interface WebhookStore {
  /** Adds the message unless its ID exists. @returns whether it was added */
  create(message: WebhookMessage): Promise<boolean>;
  get(id: string): Promise<WebhookMessage | undefined>;
  /** @returns messages of the account, newest first */
  list(query: Pick<JobQuery, "accountId" | "after" | "limit">): Promise<Page<WebhookMessage>>;
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
