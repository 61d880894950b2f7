import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { isLaneId } from "../domain/conversions/lanes.ts";
import type { Context, JobMessage } from "../domain/ports.ts";
import type { TaskKind, TaskQueue, TaskSubject } from "../domain/task-ports.ts";
import { asError, logger } from "../logger.ts";

/**
 * `done`: the message is deleted. `retry`: it is delivered again. `moved`: it is deleted, and the job is queued in another
 * lane, which needs a message: on AWS, the stream of the table causes it.
 */
export type MessageOutcome = "done" | "retry" | "moved";

/**
 * Turns a message handler into a Lambda handler for SQS. A message to retry, or whose handler throws, is reported as a
 * batch item failure and never thrown: Lambda reduces the concurrency of the queue after thrown errors.
 */
export const queueHandler = (handle: (message: JobMessage) => Promise<MessageOutcome>) =>
  batchHandler({
    parse: parseMessage,
    keysOf: ({ jobId, accountId }) => ({ job_id: jobId, account_id: accountId }),
    handle,
  });

/** The same for messages with a task: an upload or a webhook message. */
export const taskHandler = (handle: (id: string) => Promise<MessageOutcome>) =>
  batchHandler({ parse: parseTask, keysOf: taskKeys, handle: ({ id }) => handle(id) });

/**
 * The same for tasks that hold a function while an external server responds. An account can only hold some of the
 * functions of a queue: its other tasks are sent again later, which does not count as a delivery.
 */
export const fairTaskHandler = (
  context: () => Pick<Context, "slots" | "tasks" | "clock">,
  handle: (id: string) => Promise<MessageOutcome>,
) =>
  batchHandler({
    parse: parseTask,
    keysOf: taskKeys,
    redeliver: (delivery, inMs) => context().tasks.redeliver(delivery, inMs),
    handle: async ({ id, accountId, kind }) => {
      // Messages of an earlier release have neither.
      if (accountId === undefined || kind === undefined) {
        return handle(id);
      }
      const { slots, tasks, clock } = context();
      const release = await slots.take(accountId, kind, clock());
      if (release === undefined) {
        await again(tasks, kind)({ id, accountId }, CROWDED_PAUSE_MS);
        return "done";
      }
      try {
        return await handle(id);
      } finally {
        // A slot that is not released becomes free by itself.
        await release().catch((error: unknown) =>
          logger.warn("slot was not released", { task_id: id, account_id: accountId, error: asError(error) }),
        );
      }
    },
  });

/** Pause in milliseconds until a task is tried again whose account has too many running ones. */
const CROWDED_PAUSE_MS = 10_000;

const again = (tasks: TaskQueue, kind: TaskKind): TaskQueue["deliver"] =>
  ({ import: tasks.importUpload, check: tasks.checkUpload, webhook: tasks.deliver, export: tasks.export })[kind];

interface MessageHandler<Message> {
  readonly parse: (body: string) => Message;
  /** Log fields of the message. */
  readonly keysOf: (message: Message) => Readonly<Record<string, string>>;
  readonly handle: (message: Message) => Promise<MessageOutcome>;
  /** @default a message is retried after the visibility timeout of its queue */
  readonly redeliver?: TaskQueue["redeliver"];
}

/** Pauses in milliseconds before a message is delivered again: 5 s, doubled with each delivery up to 5 minutes. */
const RETRY_MS_MIN = 5_000;
const RETRY_MS_MAX = 300_000;

const batchHandler =
  <Message>(handler: MessageHandler<Message>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures = [];
    for (const record of event.Records) {
      if ((await outcomeOf(record, handler)) === "retry") {
        await retrySoon(record, handler);
        batchItemFailures.push({ itemIdentifier: record.messageId });
      }
    }
    return { batchItemFailures };
  };

/** Otherwise, a failure that takes a second delays its task by the complete visibility timeout. */
const retrySoon = async <Message>(record: SQSRecord, { redeliver }: MessageHandler<Message>): Promise<void> => {
  const { eventSourceARN: queue, receiptHandle: receipt, attributes } = record;
  const deliveries = Number(attributes?.ApproximateReceiveCount ?? 1);
  const pauseMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (deliveries - 1));
  try {
    await redeliver?.({ queue, receipt }, pauseMs);
  } catch (error) {
    logger.warn("message is retried late", { message_id: record.messageId, error: asError(error) });
  }
};

const outcomeOf = async <Message>(
  { body, attributes }: Pick<SQSRecord, "body" | "attributes">,
  { parse, keysOf, handle }: MessageHandler<Message>,
): Promise<MessageOutcome> => {
  let keys = {};
  try {
    const message = parse(body);
    keys = { ...keysOf(message), deliveries: attributes?.ApproximateReceiveCount };
    return await handle(message);
  } catch (error) {
    logger.error("message failed", { ...keys, error: asError(error) });
    return "retry";
  }
};

/** @throws TypeError for an unknown message body */
const parseMessage = (body: string): JobMessage => {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("job_id" in message) || !("account_id" in message)) {
    throw new TypeError("The message does not contain a job.");
  }
  return {
    jobId: String(message.job_id),
    accountId: String(message.account_id),
    ...("lane" in message && isLaneId(message.lane) && { lane: message.lane }),
  };
};

interface TaskMessage extends Partial<TaskSubject> {
  readonly id: string;
  readonly kind?: TaskKind;
}

const taskKeys = ({ id }: TaskMessage) => ({ task_id: id });

/** @throws TypeError for an unknown message body */
const parseTask = (body: string): TaskMessage => {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("id" in message)) {
    throw new TypeError("The message does not contain a task.");
  }
  return {
    id: String(message.id),
    ...("account_id" in message && { accountId: String(message.account_id) }),
    ...("kind" in message && isTaskKind(message.kind) && { kind: message.kind }),
  };
};

const isTaskKind = (kind: unknown): kind is TaskKind =>
  typeof kind === "string" && ["import", "check", "webhook", "export"].includes(kind);
