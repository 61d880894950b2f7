import type { Job } from "../jobs/job.ts";
import { RECORD_RETENTION_MS } from "../limits.ts";
import type { TaskQueue } from "../task-ports.ts";
import type { WebhookMessage } from "../webhooks/message.ts";
import type { Sealer } from "./sealer.ts";

/** The export of a job's result. It is delivered after the job has completed, and its failure does not affect the job. */
export interface JobExport {
  /** The {@link ExportTarget}, sealed for this job. @default it is not needed anymore */
  readonly target?: string;
  /** Where the result goes, without credentials. */
  readonly location: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error?: string;
}

export type ExportTarget =
  | {
      readonly url: string;
      readonly method: "POST" | "PUT";
      readonly headers: Readonly<Record<string, string>>;
    }
  /** The name of a storage, and the key of the object, which is filled in by {@link filledKey}. */
  | { readonly storage: string; readonly key: string };

/** @returns the target, sealed for this job: URLs and headers can contain credentials */
export const sealTarget = (sealer: Sealer, jobId: string, target: ExportTarget): string =>
  sealer.seal(JSON.stringify(target), jobId);

/** @returns the target @throws Error when it was sealed with another key */
export const openTarget = (sealer: Sealer, jobId: string, sealed: string): ExportTarget =>
  // Only `sealTarget` seals for this job.
  JSON.parse(sealer.open(sealed, jobId)) as ExportTarget;

/** The outcome of an attempt. */
export interface ExportAttempt extends Pick<JobExport, "status"> {
  readonly error?: string | undefined;
  /** Where the result was sent, if that was decided now. */
  readonly location?: string | undefined;
}

/** @returns the key of an object, with the filename of the result and the ID of the job filled in */
export const filledKey = (key: string, values: { readonly name: string; readonly id: string }): string =>
  key.replace(/\{(name|id)\}/g, (_, field: "id" | "name") => values[field]);

/** @returns the changes of a job after an attempt. Without a further one, the target is forgotten */
export const exported = (
  job: Pick<Job, "export">,
  { status, error, location }: ExportAttempt,
): Pick<Job, "export"> | undefined => {
  if (job.export?.status !== "pending") {
    return undefined;
  }
  const { attempts, target } = job.export;
  return {
    export: {
      location: location ?? job.export.location,
      status,
      attempts: attempts + 1,
      ...(error !== undefined && { error }),
      ...(status === "pending" && target !== undefined && { target }),
    },
  };
};

/** @returns the ID of the message that delivers the export of a job */
export const exportIdOf = (jobId: string): string => jobId.replace(/^job_/, "exp_");

export const isExportId = (id: string): boolean => id.startsWith("exp_");

/** @returns the message that delivers the export of a completed job: it is claimed and retried like those to webhooks */
export const exportMessageOf = (job: Job, now: number): WebhookMessage | undefined =>
  job.status !== "completed" || job.export?.status !== "pending"
    ? undefined
    : {
        id: exportIdOf(job.id),
        accountId: job.accountId,
        jobId: job.id,
        type: "job.completed",
        url: job.export.location,
        body: "",
        status: "pending",
        attempts: [],
        createdAt: now,
        dueAt: now,
        recordExpiresAt: now + RECORD_RETENTION_MS,
      };

/** Queues the delivery of a message: an export takes longer than a webhook, and has a separate queue. */
export const queueDelivery = (
  tasks: TaskQueue,
  message: Pick<WebhookMessage, "id" | "accountId">,
  inMs: number,
): Promise<void> => (isExportId(message.id) ? tasks.export(message, inMs) : tasks.deliver(message, inMs));
