import { AFTER_ALL_IDS, pageOf } from "../../functions/domain/pages.ts";
import { DEFAULT_ENDPOINT } from "../../functions/domain/webhooks/endpoint.ts";
import type { WebhookMessage } from "../../functions/domain/webhooks/message.ts";
import type { WebhookStore } from "../../functions/domain/webhooks/webhook-ports.ts";
import type { DueTasks } from "../queue/fair-tasks.ts";
import type { Database } from "./database.ts";
import { integerOf, type Row, textOf } from "./rows.ts";

/** @returns a function that adds a message inside another store's transaction, and returns whether it was added */
export const webhookInsert = (database: Database): ((message: WebhookMessage) => boolean) => {
  const insert = database.prepare(`
    INSERT INTO webhooks (id, body, account_id, due_at, record_expires_at)
    VALUES (:id, :body, :accountId, :dueAt, :recordExpiresAt) ON CONFLICT (id) DO NOTHING`);
  return (message) => {
    const { id, accountId, dueAt = null, recordExpiresAt } = message;
    return insert.run({ id, body: JSON.stringify(message), accountId, dueAt, recordExpiresAt }).changes === 1;
  };
};

/** Webhook messages, for their worker. */
export interface LocalWebhooks extends WebhookStore {
  /** Due messages by account. */
  readonly tasks: DueTasks;
}

/** Messages are stored as JSON; additional columns contain the searched fields. */
export const sqliteWebhooks = (database: Database): LocalWebhooks => {
  const insert = webhookInsert(database);
  const update = database.prepare("UPDATE webhooks SET body = :body, due_at = :dueAt WHERE id = :id");
  const get = database.prepare("SELECT body FROM webhooks WHERE id = ?");
  const list = database.prepare(`
    SELECT body FROM webhooks WHERE account_id = :accountId AND id > 'msg_' AND id < :after
      AND (:endpointId IS NULL OR coalesce(body ->> 'endpointId', '${DEFAULT_ENDPOINT}') = :endpointId)
    ORDER BY id DESC LIMIT :limit`);
  const due = database.prepare("SELECT body FROM webhooks WHERE due_at <= :now ORDER BY due_at LIMIT :limit");
  const remove = database.prepare("DELETE FROM webhooks WHERE id = ?");
  const change = (id: string, next: (message: WebhookMessage) => Changes | undefined): boolean => {
    const message = messageOf(get.get(id));
    const changes = message && next(message);
    if (message === undefined || changes === undefined) {
      return false;
    }
    const { dueAt, ...rest } = { ...message, ...changes };
    const body = JSON.stringify({ ...rest, ...(dueAt !== undefined && { dueAt }) });
    return update.run({ id, body, dueAt: dueAt ?? null }).changes === 1;
  };
  return {
    tasks: dueTasks(database),
    create: (message) => database.durably(() => insert(message)),
    get: async (id) => messageOf(get.get(id)),
    list: async ({ accountId, limit, after = AFTER_ALL_IDS, endpointId = null }) =>
      pageOf(
        list.all({ accountId, limit: limit + 1, after, endpointId }).flatMap((row) => messageOf(row) ?? []),
        limit,
      ),
    claim: (id, from, until) =>
      database.soon(() =>
        change(id, ({ status, dueAt }) => (status === "pending" && dueAt === from ? { dueAt: until } : undefined)),
      ),
    record: (id, attempt, { status, dueAt }) =>
      database.eventually(() => {
        change(id, ({ attempts }) => ({ attempts: [...attempts, attempt], status, dueAt }));
      }),
    revive: (id, dueAt) => database.durably(() => change(id, () => ({ status: "pending", dueAt }))),
    remove: async (id) => {
      await database.durably(() => remove.run(id));
    },
    due: async (now, limit) => due.all({ now, limit }).flatMap((row) => messageOf(row) ?? []),
  };
};

/** Accounts are queried one by one, so that future messages of an account are not read. */
const dueTasks = (database: Database): DueTasks => {
  const first = database.prepare(`
    SELECT account_id, due_at FROM webhooks WHERE due_at IS NOT NULL AND account_id > ?
    ORDER BY account_id, due_at LIMIT 1`);
  const dueOf = database.prepare(
    "SELECT id FROM webhooks WHERE account_id = :accountId AND due_at <= :now ORDER BY due_at, id LIMIT :limit",
  );
  return {
    accountAfter: (accountId, now) => {
      let row = first.get(accountId);
      while (row !== undefined && integerOf(row, "due_at") > now) {
        row = first.get(textOf(row, "account_id"));
      }
      return row && textOf(row, "account_id");
    },
    tasksOf: (accountId, now, limit) => dueOf.all({ accountId, now, limit }).map((row) => textOf(row, "id")),
  };
};

/** An undefined `dueAt` removes it. */
type Changes = Partial<Omit<WebhookMessage, "dueAt">> & { readonly dueAt?: number | undefined };

const messageOf = (row: Row | undefined): WebhookMessage | undefined =>
  row && (JSON.parse(textOf(row, "body")) as WebhookMessage);
