import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { IMPORT_MS_MAX, WEBHOOK_ATTEMPT_MS_MAX } from "../functions/domain/limits.ts";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { type EventName, permissions, type TaskId } from "./permissions.ts";
import { deadLettersIn, queueIn } from "./queues.ts";

/** Work beside conversions, and what does it. */
interface Task {
  readonly event: EventName;
  readonly bundle: string;
  readonly description: string;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** Seconds beyond a fetch, to put the last part down and to tell the format. */
const IMPORT_MARGIN_SECONDS = 60;

/**
 * Nothing is kept on disk: files stream from their servers to S3, and from S3 through a hash, in 0.2 GB of memory. As
 * measured that takes 5 s of a processor for each gigabyte of the first and 2 s of the second; with 0.6 of a processor
 * (1,024 MB) the network is what 5 GB wait for: at the 75 MB a second that a function gets, 135 s and 70 s.
 */
const tasks: Readonly<Record<TaskId, Task>> = {
  imports: {
    event: "importUpload",
    bundle: "import-upload",
    description: "Fetches files from URLs, and looks at those that were sent straight to the file store",
    memoryMegabytes: 1_024,
    timeoutSeconds: IMPORT_MS_MAX / 1_000 + IMPORT_MARGIN_SECONDS,
  },
  webhooks: {
    event: "deliverWebhook",
    bundle: "deliver-webhook",
    description: "Tries messages to webhooks",
    memoryMegabytes: 256,
    timeoutSeconds: (2 * WEBHOOK_ATTEMPT_MS_MAX) / 1_000,
  },
  erasures: {
    event: "eraseFiles",
    bundle: "erase-files",
    description: "Erases results that go with their first download",
    memoryMegabytes: 256,
    timeoutSeconds: 30,
  },
};

/** A task's queue, its dead letters, and the function that drains it, one message at a time. */
export interface TaskWorker {
  /** What the function is called, after the stack's name. */
  readonly name: string;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly worker: ServiceFunction;
}

export interface TasksProps {
  /** Without the queues of the tasks: they are made here. */
  readonly deployment: Deployment;
}

/**
 * The work beside conversions. Those that reach strangers' servers run outside the closed network of the converters, with
 * rights to nothing but the records and files that they are about.
 */
export class Tasks extends Construct {
  readonly queues: Readonly<Record<TaskId, Queue>>;
  readonly byId: Readonly<Record<TaskId, TaskWorker>>;

  constructor(scope: Construct, id: string, { deployment }: TasksProps) {
    super(scope, id);
    // One of them sends to its own queue, so all queues come first.
    const made = { imports: this.made("imports"), webhooks: this.made("webhooks"), erasures: this.made("erasures") };
    this.queues = { imports: made.imports.queue, webhooks: made.webhooks.queue, erasures: made.erasures.queue };
    const reach = { ...deployment.reach, queues: { ...deployment.reach.queues, ...this.queues } };
    const drained = (task: TaskId) => drain(made[task], task, { ...deployment, reach });
    this.byId = { imports: drained("imports"), webhooks: drained("webhooks"), erasures: drained("erasures") };
  }

  private made(task: TaskId): MadeQueue {
    const place = new Construct(this, task);
    const deadLetters = deadLettersIn(place);
    return { place, deadLetters, queue: queueIn(place, deadLetters, tasks[task].timeoutSeconds) };
  }
}

interface MadeQueue {
  readonly place: Construct;
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const drain = ({ place, queue, deadLetters }: MadeQueue, task: TaskId, deployment: Deployment): TaskWorker => {
  const { event, ...rest } = tasks[task];
  const maxConcurrency = deployment.settings.capacity.atOnce[task];
  const worker = new ServiceFunction(place, "Worker", { deployment, permissions: permissions[event], ...rest });
  worker.lambda.addEventSource(
    new SqsEventSource(queue, { batchSize: 1, maxConcurrency, reportBatchItemFailures: true }),
  );
  return { name: rest.bundle, queue, deadLetters, worker };
};
