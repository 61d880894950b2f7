import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { TaskId } from "../../functions/api/permissions.ts";
import { IMPORT_MS_MAX, WEBHOOK_ATTEMPT_MS_MAX } from "../../functions/domain/limits.ts";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { type EventName, permissions } from "../permissions.ts";
import { deadLettersIn, queueIn } from "./queues.ts";

/** Background tasks and their functions. */
interface Task {
  readonly event: EventName;
  readonly bundle: string;
  readonly description: string;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** Seconds in addition to a download, to store the last part and detect the format. */
const IMPORT_MARGIN_SECONDS = 60;

/**
 * Nothing is written to disk: files stream from their servers to S3, and from S3 through a hash, in 0.2 GB of memory.
 * Measured CPU time is 5 s per gigabyte for the first and 2 s for the second. With 0.6 of a processor (1,024 MB), the
 * network is the bottleneck for 5 GB: 135 s and 70 s, at the 75 MB/s that a function gets.
 */
const tasks: Readonly<Record<TaskId, Task>> = {
  imports: {
    event: "importUpload",
    bundle: "import-upload",
    description: "Downloads files from URLs, and checks those that were uploaded directly to the file store",
    memoryMegabytes: 1_024,
    timeoutSeconds: IMPORT_MS_MAX / 1_000 + IMPORT_MARGIN_SECONDS,
  },
  webhooks: {
    event: "deliverWebhook",
    bundle: "deliver-webhook",
    description: "Delivers webhooks",
    memoryMegabytes: 256,
    timeoutSeconds: (2 * WEBHOOK_ATTEMPT_MS_MAX) / 1_000,
  },
  erasures: {
    event: "eraseFiles",
    bundle: "erase-files",
    description: "Deletes results that are deleted after their first download",
    memoryMegabytes: 256,
    timeoutSeconds: 30,
  },
};

/** A task's queue, its dead-letter queue, and the function that drains it, one message at a time. */
export interface TaskWorker {
  /** Name of the function, after the stack's name. */
  readonly name: string;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly worker: ServiceFunction;
}

export interface TasksProps {
  /** Without the queues of the tasks, which are created here. */
  readonly deployment: Deployment;
}

/**
 * Background tasks. Tasks that connect to external servers run outside of the isolated network of the converters, with
 * permissions only for their records and files.
 */
export class Tasks extends Construct {
  readonly queues: Readonly<Record<TaskId, Queue>>;
  readonly byId: Readonly<Record<TaskId, TaskWorker>>;

  constructor(scope: Construct, id: string, { deployment }: TasksProps) {
    super(scope, id);
    // One task sends to its own queue, so all queues are created first.
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
