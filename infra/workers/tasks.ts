import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { TaskId } from "../../functions/api/permissions.ts";
import {
  EXPORT_ATTEMPT_MS_MAX,
  EXPORT_MARGIN_MS,
  IMPORT_MARGIN_MS,
  IMPORT_MS_MAX,
  WEBHOOK_ATTEMPT_MS_MAX,
} from "../../functions/domain/limits.ts";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { type EventName, permissions } from "../permissions.ts";
import { deadLettersIn, queueIn } from "./queues.ts";

/** Tasks with a function. Checks have a separate queue only, so that no import delays them. */
type WorkerId = Exclude<TaskId, "checks">;

/** Background tasks and their functions. */
interface Task {
  readonly event: EventName;
  readonly bundle: string;
  readonly description: string;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/**
 * Nothing is written to disk: files stream from their servers to S3, and from S3 through a hash, in 0.2 GB of memory.
 * Measured CPU time is 5 s per gigabyte for the first and 2 s for the second. With 0.6 of a processor (1,024 MB), the
 * network is the bottleneck for 5 GB: 135 s and 70 s, at the 75 MB/s that a function gets.
 */
const tasks: Readonly<Record<WorkerId, Task>> = {
  imports: {
    event: "importUpload",
    bundle: "import-upload",
    description: "Downloads files from URLs, and checks those that were uploaded directly to the file store",
    memoryMegabytes: 1_024,
    timeoutSeconds: (IMPORT_MS_MAX + IMPORT_MARGIN_MS) / 1_000,
  },
  webhooks: {
    event: "deliverWebhook",
    bundle: "deliver-webhook",
    description: "Delivers webhooks",
    memoryMegabytes: 256,
    timeoutSeconds: (2 * WEBHOOK_ATTEMPT_MS_MAX) / 1_000,
  },
  exports: {
    event: "deliverExport",
    bundle: "deliver-export",
    description: "Sends results to the storages and URLs of clients",
    memoryMegabytes: 1_024,
    timeoutSeconds: (EXPORT_ATTEMPT_MS_MAX + EXPORT_MARGIN_MS) / 1_000,
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
    // Some tasks send to their own queue, so all queues are created first.
    const imports = this.made("imports");
    const made = {
      imports,
      webhooks: this.made("webhooks"),
      exports: this.made("exports"),
      erasures: this.made("erasures"),
    };
    const checks = queueIn(new Construct(this, "checks"), imports.deadLetters, tasks.imports.timeoutSeconds);
    this.queues = {
      imports: imports.queue,
      checks,
      webhooks: made.webhooks.queue,
      exports: made.exports.queue,
      erasures: made.erasures.queue,
    };
    const reach = { ...deployment.reach, queues: { ...deployment.reach.queues, ...this.queues } };
    const drained = (task: WorkerId) => drain(made[task], task, { ...deployment, reach });
    const importing = drained("imports");
    this.byId = {
      imports: importing,
      checks: { ...importing, queue: checks },
      webhooks: drained("webhooks"),
      exports: drained("exports"),
      erasures: drained("erasures"),
    };
    read(checks, importing.worker, deployment.settings.capacity.atOnce.checks);
  }

  private made(task: WorkerId): MadeQueue {
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

const drain = ({ place, queue, deadLetters }: MadeQueue, task: WorkerId, deployment: Deployment): TaskWorker => {
  const { event, ...rest } = tasks[task];
  const worker = new ServiceFunction(place, "Worker", {
    deployment,
    log: "workers",
    permissions: permissions[event],
    ...rest,
  });
  read(queue, worker, deployment.settings.capacity.atOnce[task]);
  return { name: rest.bundle, queue, deadLetters, worker };
};

const read = (queue: Queue, { lambda }: ServiceFunction, maxConcurrency: number): void =>
  lambda.addEventSource(new SqsEventSource(queue, { batchSize: 1, maxConcurrency, reportBatchItemFailures: true }));
