import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { JobMessage } from "../domain/ports.ts";
import { asError, logger } from "../logger.ts";

/** `done`: the message may go. `retry`: it is to come again. */
export type MessageOutcome = "done" | "retry";

/**
 * Ends a message handler as a Lambda handler for SQS. A message that is to come again, or whose handler throws, is
 * reported as a failure of the batch and never thrown: a thrown error makes Lambda cut the concurrency of all accounts.
 */
export const queueHandler = (handle: (message: JobMessage) => Promise<MessageOutcome>) =>
  batchHandler((body) => handle(parseMessage(body)));

/** The same for messages that name a task: an upload, or a message to a webhook. */
export const taskHandler = (handle: (id: string) => Promise<MessageOutcome>) =>
  batchHandler((body) => handle(parseTask(body)));

const batchHandler =
  (handle: (body: string) => Promise<MessageOutcome>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures = [];
    for (const { messageId, body } of event.Records) {
      if ((await outcomeOf(() => handle(body))) === "retry") {
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };

const outcomeOf = async (handle: () => Promise<MessageOutcome>): Promise<MessageOutcome> => {
  try {
    return await handle();
  } catch (error) {
    logger.error("message failed", { error: asError(error) });
    return "retry";
  }
};

/** @throws TypeError for a body that no part of this service sends */
const parseMessage = (body: string): JobMessage => {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("job_id" in message) || !("account_id" in message)) {
    throw new TypeError("The message names no job.");
  }
  return { jobId: String(message.job_id), accountId: String(message.account_id) };
};

/** @throws TypeError for a body that no part of this service sends */
const parseTask = (body: string): string => {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("id" in message)) {
    throw new TypeError("The message names no task.");
  }
  return String(message.id);
};
