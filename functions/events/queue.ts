import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { JobMessage } from "../domain/ports.ts";
import { asError, logger } from "../logger.ts";

/** `done`: the message is deleted. `retry`: it is delivered again. */
export type MessageOutcome = "done" | "retry";

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
  batchHandler({ parse: parseTask, keysOf: (id) => ({ task_id: id }), handle });

interface MessageHandler<Message> {
  readonly parse: (body: string) => Message;
  /** Log fields of the message. */
  readonly keysOf: (message: Message) => Readonly<Record<string, string>>;
  readonly handle: (message: Message) => Promise<MessageOutcome>;
}

const batchHandler =
  <Message>(handler: MessageHandler<Message>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures = [];
    for (const record of event.Records) {
      if ((await outcomeOf(record, handler)) === "retry") {
        batchItemFailures.push({ itemIdentifier: record.messageId });
      }
    }
    return { batchItemFailures };
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
  return { jobId: String(message.job_id), accountId: String(message.account_id) };
};

/** @throws TypeError for an unknown message body */
const parseTask = (body: string): string => {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("id" in message)) {
    throw new TypeError("The message does not contain a task.");
  }
  return String(message.id);
};
