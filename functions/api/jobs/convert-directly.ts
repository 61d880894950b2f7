import { BYTES_INPUT_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { DirectOutcome } from "../../domain/jobs/direct-conversions.ts";
import { uploadMeasured } from "../../domain/measurements.ts";
import type { Context, IdempotencyClaim } from "../../domain/ports.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import type { ConversionRequest } from "../conversion/conversion-request.ts";
import { onlyJson } from "../middleware/accept.ts";
import { withPreset } from "../presets/with-preset.ts";
import { type ApiRequest, isRefused, quotaRefused } from "../request.ts";
import { keptInMemory, type MemoryTarget } from "../uploads/receive-file.ts";
import { type Acceptance, repeatedJob } from "./accept-job.ts";
import { jobFor } from "./new-job.ts";

/** Milliseconds that a client must be willing to wait: more than a direct conversion takes. */
export const WAIT_MS_MIN = 10_000;

export type FileChunks = readonly Uint8Array[];

/** The files of a request while they are in memory only. */
export interface FilesInMemory {
  /** @returns the destination of the next file */
  next(): MemoryTarget;
  /** The contents of the files, in order, in pieces as they arrived. */
  contents(): readonly FileChunks[];
  /** Ends the reservation of memory. */
  release(): void;
}

/**
 * @param waitMs milliseconds that the client is willing to wait
 * @returns memory for the files of the request; undefined if they must be stored as they arrive
 */
export const filesInMemory = (
  { direct }: Pick<Context, "direct">,
  { accountId, headers }: ApiRequest<unknown>,
  waitMs: number,
): FilesInMemory | undefined => {
  const bytes = Number(headers["content-length"]);
  const isSmall = bytes > 0 && bytes <= BYTES_INPUT_MAX && waitMs >= WAIT_MS_MIN;
  const release = isSmall ? direct?.reserve(accountId) : undefined;
  const targets: MemoryTarget[] = [];
  const next = (): MemoryTarget => {
    // A file that is converted at once has no record, and only a repeated request is compared with it.
    const target = keptInMemory(headers["idempotency-key"] !== undefined);
    targets.push(target);
    return target;
  };
  return release && { next, contents: () => targets.map(({ chunks }) => chunks), release };
};

/**
 * Converts a single file in memory at once, if a converter is free.
 *
 * @returns undefined if the job must be queued; nothing was stored or counted then
 * @throws RequestError when the job is rejected
 */
export const convertDirectly = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  { uploads, contents, idempotency }: DirectFiles,
): Promise<Acceptance | undefined> => {
  const [[upload, ...further], [input]] = [uploads, contents];
  if (context.direct === undefined || upload === undefined || input === undefined || further.length > 0) {
    return undefined;
  }
  const complete = await withPreset(context, request);
  if ("steps" in complete) {
    return undefined;
  }
  const job = await jobFor(context, complete.request, [upload]);
  const announces = (job.webhook ?? job.endpoints ?? job.export) !== undefined;
  const isLater = idempotency !== undefined || announces || onlyJson(request.headers.accept);
  const stored = isLater ? "on_disk" : "later";
  const ended = await context.direct.convert({ job, input, quota: request.claim, idempotency, stored });
  const acceptance = await acceptanceOf(context, request, { ended, idempotency });
  if (acceptance?.replayed === false) {
    context.metrics.record(uploadMeasured(upload.bytes));
  }
  return acceptance;
};

interface Ending {
  readonly ended: DirectOutcome | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
}

/** @throws RequestError when the quota refuses the job @returns undefined if the job must be queued */
export const acceptanceOf = async (
  context: Context,
  request: ApiRequest<unknown>,
  { ended, idempotency }: Ending,
): Promise<Acceptance | undefined> => {
  if (isRefused(ended)) {
    throw quotaRefused(request, ended);
  }
  if (ended?.outcome === "replayed") {
    return repeatedJob(context, ended, idempotency);
  }
  return ended && { replayed: false, ...ended };
};

interface DirectFiles {
  readonly uploads: readonly ReadyUpload[];
  readonly contents: readonly FileChunks[];
  readonly idempotency: IdempotencyClaim | undefined;
}
