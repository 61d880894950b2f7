import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../functions/domain/errors.ts";
import type { FileStore } from "../../functions/domain/file-ports.ts";
import type {
  DirectConversions,
  DirectOutcome,
  DirectRequest,
} from "../../functions/domain/jobs/direct-conversions.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { claim, finish } from "../../functions/domain/jobs/transitions.ts";
import type { Context, Creation, JobStore } from "../../functions/domain/ports.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";
import { convertFile } from "../../functions/events/convert-file.ts";
import type { LocalContext } from "../context.ts";
import { bytesFirst, freeMemory, takesBytes } from "./bytes-conversions.ts";
import { fairSlots } from "./fair-slots.ts";

/** Files in memory, of 1 MB at most. An account has at most half of them. */
const FILES_MAX = 128;

/** Milliseconds that a request waits for a converter before its job is queued. */
const CONVERTER_WAIT_MS_MAX = 2_000;

/** Milliseconds of a conversion. A longer one becomes a queued job, whose time limit is that of its lane. */
const CONVERSION_MS_MAX = 5_000;

type Stores = Context & Pick<LocalContext, "files" | "jobs" | "reservations">;

export interface DirectSettings {
  readonly pool: Pick<ConverterPool, "run" | "runBytes">;
  /** Waits for a slot of the dispatcher. @returns a function that releases it; undefined if none became free in time */
  readonly slot: (accountId: string, milliseconds: number) => Promise<(() => void) | undefined>;
  /** Called when a job has ended. */
  readonly onEnd: () => void;
}

export interface LocalDirect extends DirectConversions {
  /** Starts conversions. Until then, all jobs are queued. */
  open(settings: DirectSettings): void;
}

/**
 * Direct conversions on this machine. A job passes through the same handler as a queued one, with a job store and a file
 * store that hold this one job in memory until it ends.
 */
export const directConversions = (contextOf: () => Stores): LocalDirect => {
  const places = fairSlots(FILES_MAX);
  let settings: DirectSettings | undefined;
  let running = 0;
  return {
    open: (opened) => {
      settings = opened;
    },
    reserve: (accountId) => settings && places.take(accountId),
    convert: async (request) => {
      const { job } = request;
      const isDirect = takesBytes(job.steps) && job.helperLane === undefined && job.optionFiles === undefined;
      const release = isDirect ? await settings?.slot(job.accountId, CONVERTER_WAIT_MS_MAX) : undefined;
      if (release === undefined || settings === undefined) {
        return undefined;
      }
      const { pool, onEnd } = settings;
      const context = contextOf();
      const used: string[] = [];
      const folder = (): string => {
        const taken = mkdtempSync(join(context.scratchFolder, "direct-"));
        used.push(taken);
        return taken;
      };
      running += 1;
      try {
        const input = request.input ?? (await contentOf(context.files, job));
        return (
          input &&
          (await convertReserved(context, { ...request, input }, { pool, folder, release, isAlone: running === 1 }))
        );
      } finally {
        running -= 1;
        release();
        onEnd();
        await Promise.all(used.map((each) => rm(each, { recursive: true, force: true })));
      }
    },
  };
};

/** A request with the bytes of its file. */
type FilledRequest = DirectRequest & Required<Pick<DirectRequest, "input">>;

/** @returns the bytes of the job's upload, which is small; undefined if it was deleted */
const contentOf = async (
  files: Pick<FileStore, "fetch">,
  { inputKey }: Job,
): Promise<readonly Uint8Array[] | undefined> => {
  const path = await files.fetch(inputKey, "");
  return path === undefined ? undefined : [readFileSync(path)];
};

interface Attempt {
  readonly pool: DirectSettings["pool"];
  /** @returns an empty folder for files */
  readonly folder: () => string;
  /** Releases the slot; further calls have no effect. */
  readonly release: () => void;
  /** Whether no other conversion runs. */
  readonly isAlone: boolean;
}

/**
 * Reserves the count while the file is converted, so that the response does not wait for the disk. Not for what must be
 * kept, which waits for the disk anyway, and not for several conversions at a time: they share disk syncs, and others run
 * while they wait.
 */
const convertReserved = async (
  context: Stores,
  request: FilledRequest,
  attempt: Attempt,
): Promise<DirectOutcome | undefined> => {
  const { job, quota, stored } = request;
  const mayReserve = attempt.isAlone && stored === "later" && quota !== undefined;
  const reservation = mayReserve ? context.reservations.take(job.id, quota) : undefined;
  try {
    const outcome = await convertOne(context, request, { ...attempt, isReserved: reservation !== undefined });
    if (outcome?.outcome === "ended") {
      await reservation?.onDisk;
      reservation?.recorded();
    } else {
      await reservation?.cancel();
    }
    return outcome;
  } catch (error) {
    await reservation?.cancel();
    throw error;
  }
};

const convertOne = async (
  context: Stores,
  request: FilledRequest,
  { isReserved, ...attempt }: Attempt & { readonly isReserved: boolean },
): Promise<DirectOutcome | undefined> => {
  const job = jobInMemory(context, request, isReserved);
  const { run, storeFile, made } = bytesOf(context, request, attempt);
  const files: FileStore = { ...context.files, fetch: async () => "", storeFile };
  const convert = convertFile({ ...context, jobs: job.store, files, notifications: unnoticed }, run, noScratch);
  const { id: jobId, accountId } = request.job;
  await convert({ jobId, accountId });
  const creation = job.creation();
  if (creation?.outcome !== "created") {
    // It has not ended if the service failed: the queue tries it again.
    return creation;
  }
  const { output } = made() ?? {};
  if (output !== undefined) {
    freeMemory(request.input);
  }
  return { outcome: "ended", job: job.ended(), ...(output !== undefined && { content: output }) };
};

/** Nobody knows the job yet, so it cannot be cancelled. */
const unnoticed = { changed: () => new Promise<void>(() => {}) };

/** Folders are taken when files are needed. */
const noScratch = { take: () => "", release: async () => {} };

/** A store with one job. It is recorded when it ends. An attempt that does not end it leaves no trace. */
const jobInMemory = ({ jobs }: Stores, { job: queued, quota, idempotency }: DirectRequest, isReserved: boolean) => {
  let job: Job = queued;
  let creation: Creation | undefined;
  const store: JobStore = {
    ...jobs,
    claim: async (_, now, from) => {
      job = { ...job, ...claim(job, now, from) };
      return job;
    },
    getJob: async () => job,
    progress: async () => {},
    release: async () => true,
    finish: async (_, attempt, outcome, now) => {
      const end = finish(job, { attempt, outcome }, now);
      creation = end && (await jobs.createEnded(job, end, { quota, idempotency, now, isReserved }));
      job = { ...job, ...end?.changes };
      return creation?.outcome === "created";
    },
  };
  return { store, creation: () => creation, ended: () => job };
};

/** Runs the conversion with bytes if the engine can, otherwise with files. */
const bytesOf = ({ files }: Stores, { input, stored }: FilledRequest, { pool, folder, release }: Attempt) =>
  bytesFirst(files, {
    withBytes: async ({ steps, options }, limits) => {
      if (!takesBytes(steps)) {
        return undefined;
      }
      const conversion = { step: steps[0], options, input };
      const made = await pool.runBytes(conversion, soon(limits)).catch(queuedIfLate);
      if (made !== undefined) {
        // The next conversion does not wait until this one is recorded.
        release();
      }
      return made;
    },
    withFiles: (task, limits) => {
      const own = folder();
      const path = join(own, "input");
      writeFileSync(path, Buffer.concat(input), { mode: 0o600 });
      return pool.run({ ...task, folder: own, input: path }, soon(limits)).catch(queuedIfLate);
    },
    stored,
  });

const soon = <Limits extends { readonly timeoutMs: number }>(limits: Limits): Limits => ({
  ...limits,
  timeoutMs: Math.min(CONVERSION_MS_MAX, limits.timeoutMs),
});

/** The time limit of the lane has not passed, so the job is not at fault: a fault of the service is retried. */
const queuedIfLate = (error: unknown): never => {
  throw error instanceof JobError && error.code === "timed_out"
    ? new JobError("engine_failed", "The conversion takes too long to wait for it.", { cause: error })
    : error;
};
