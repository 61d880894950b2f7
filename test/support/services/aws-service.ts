import { once } from "node:events";
import { SQSClient } from "@aws-sdk/client-sqs";
import { readConfig } from "../../../functions/config.ts";
import { context } from "../../../functions/context.ts";
import { laneIds } from "../../../functions/domain/conversions/lanes.ts";
import { IMPORTS_PER_ACCOUNT_MAX } from "../../../functions/domain/limits.ts";
import type { Context, JobStore } from "../../../functions/domain/ports.ts";
import { announceEnd } from "../../../functions/events/announce-end.ts";
import { handler as convertFile } from "../../../functions/events/convert-file.ts";
import { handler as convertPage } from "../../../functions/events/convert-page.ts";
import { handler as deliverExport } from "../../../functions/events/deliver-export.ts";
import { handler as deliverWebhook } from "../../../functions/events/deliver-webhook.ts";
import { handler as eraseFiles } from "../../../functions/events/erase-files.ts";
import { handler as importUpload } from "../../../functions/events/import-upload.ts";
import { requeueJob } from "../../../functions/events/requeue-job.ts";
import { sweepWebhooks } from "../../../functions/events/sweep-webhooks.ts";
import { gateway } from "../../../local/http/gateway.ts";
import { startLambda } from "../emulators/lambda.ts";
import { poll, type QueueHandler } from "../emulators/queue-poll.ts";

/**
 * The Lambda handlers like in a deployment, in one process: API Gateway is the local gateway with bodies in events, and
 * the event sources are loops that read the queues. Adapters, tables, bucket and queues are those of AWS, on the
 * emulators that the environment configures. Run without the condition that makes the handlers local.
 */

const MESSAGES_AT_ONCE = 2;

/** More than the imports of an account, as in a deployment. */
const IMPORTS_AT_ONCE = 3 * IMPORTS_PER_ACCOUNT_MAX;

/** The interval of the sweeper of a deployment is a minute or more. */
const SWEEP_MS = 2_000;

/**
 * The DynamoDB emulator has no streams. Its events are sent after the transitions that end a job or return it to the
 * queue.
 */
const announcing = (world: Context): JobStore => {
  const { jobs } = world;
  const announce = announceEnd(world);
  return {
    ...jobs,
    release: async (id, attempt, dueAt, move) => {
      const released = await jobs.release(id, attempt, dueAt, move);
      if (released) {
        await requeueJob(world)(id);
      }
      return released;
    },
    finish: async (id, attempt, outcome, now) => {
      const ended = await jobs.finish(id, attempt, outcome, now);
      if (ended) {
        await announce(id);
      }
      return ended;
    },
    cancel: async (id, now) => {
      const cancelled = await jobs.cancel(id, now);
      if (cancelled !== undefined) {
        await announce(id);
      }
      return cancelled;
    },
  };
};

const lambda = await startLambda({
  ANYFORM_FUNCTION: "open-page",
  ANYFORM_ALLOW_ADDRESSES: process.env.ANYFORM_ALLOW_ADDRESSES ?? "",
});
process.env.AWS_ENDPOINT_URL_LAMBDA = lambda.endpoint;
process.env.ANYFORM_PAGE_FUNCTION = "open-page";
const world = context();
Object.assign(world, { jobs: announcing(world) });

const server = await gateway({ body: "event", onError: (error) => console.error(error) });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();

const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
const stop = new AbortController();

const { queueUrls, taskUrls } = readConfig();
const sources: readonly [string, QueueHandler][] = [
  ...laneIds.map((lane): [string, QueueHandler] => [queueUrls[lane], lane === "web" ? convertPage : convertFile]),
  [taskUrls.imports, importUpload],
  [taskUrls.checks, importUpload],
  [taskUrls.webhooks, deliverWebhook],
  [taskUrls.exports, deliverExport],
  [taskUrls.erasures, eraseFiles],
];
const polls = sources.flatMap(([url, handler]) =>
  Array.from({ length: url === taskUrls.imports ? IMPORTS_AT_ONCE : MESSAGES_AT_ONCE }, () =>
    poll(sqs, { url, handler }, stop.signal),
  ),
);
const sweep = sweepWebhooks(world);
const schedule = setInterval(() => void sweep().catch(console.error), SWEEP_MS);
process.once("SIGTERM", async () => {
  stop.abort();
  clearInterval(schedule);
  server.close();
  server.closeAllConnections();
  lambda.stop();
  await Promise.allSettled(polls);
  process.exit(0);
});
console.log(`The service listens on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
