import { statfsSync } from "node:fs";
import { RequestError } from "../../functions/domain/errors.ts";
import type { Admission } from "../../functions/domain/gateway-ports.ts";
import { DISK_FREE_BYTES_MIN, RETRY_AFTER_SECONDS_MAX } from "../../functions/domain/limits.ts";
import type { LocalQueue } from "../sqlite/queue.ts";
import { fairSlots } from "./fair-slots.ts";

/** Admission control of one machine. */
export interface LocalAdmission extends Admission {
  /** Records the end of a job. The rate of ended jobs determines the `Retry-After` of rejected requests. */
  jobEnded(): void;
}

export interface AdmissionSettings {
  readonly queue: Pick<LocalQueue, "waiting">;
  /** Maximum number of queued jobs of all accounts. */
  readonly waitingMax: number;
  /** A folder on the disk where files are stored. */
  readonly folder: string;
  /** @default DISK_FREE_BYTES_MIN */
  readonly freeBytesMin?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Accounts share a queue of limited length: see `fair-slots.ts`. Files are accepted while the disk has enough space for
 * the accepted conversions.
 */
export const localAdmission = (settings: AdmissionSettings): LocalAdmission => {
  const { queue, waitingMax, folder, clock, freeBytesMin = DISK_FREE_BYTES_MIN } = settings;
  const slots = fairSlots(waitingMax, { all: queue.waiting.all, heldBy: queue.waiting.of });
  const pace = endsPerSecond(clock);
  const expected = sums();
  const free = freeBytes(folder);
  return {
    job: (accountId) => {
      const release = slots.take(accountId);
      if (release === undefined) {
        const own = slots.heldBy(accountId);
        const seconds = secondsToTenth(own, pace.rate() / Math.max(1, queue.waiting.accounts().size));
        throw busy(`The queue is full; ${own} of your jobs are queued. Try again in ${seconds} s.`, seconds);
      }
      return release;
    },
    file: (party, bytes) => {
      const left = free() - freeBytesMin - expected.all() - bytes;
      // As with queue slots, an account that announces files without sending them can reserve at most half of the
      // space.
      if (left < expected.of(party)) {
        const detail = `Not enough disk space for this file. Try again in ${RETRY_AFTER_SECONDS_MAX} s.`;
        throw busy(detail, RETRY_AFTER_SECONDS_MAX);
      }
      return expected.add(party, bytes);
    },
    jobEnded: pace.ended,
  };
};

/** Milliseconds for which the free space is known: the disk gets at most a fraction of the reserve meanwhile. */
const FREE_MS = 50;

/** @returns a function that returns the free bytes of the disk */
const freeBytes = (folder: string): (() => number) => {
  let [bytes, at] = [0, Number.NEGATIVE_INFINITY];
  return () => {
    const now = performance.now();
    if (now - at > FREE_MS) {
      const { bavail, bsize } = statfsSync(folder);
      [bytes, at] = [bavail * bsize, now];
    }
    return bytes;
  };
};

const busy = (detail: string, seconds: number): RequestError =>
  new RequestError("temporarily_unavailable", detail, { headers: { "retry-after": String(seconds) } });

/** @returns seconds until a tenth of the account's jobs has ended, which frees enough slots for a retry */
const secondsToTenth = (jobs: number, endsPerSecond: number): number =>
  Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(1, Math.ceil(jobs / 10 / endsPerSecond)));

/** Bytes that have not arrived yet, by account or upload. */
const sums = () => {
  const byParty = new Map<string, number>();
  let all = 0;
  const change = (party: string, bytes: number): void => {
    const sum = (byParty.get(party) ?? 0) + bytes;
    all += bytes;
    if (sum > 0) {
      byParty.set(party, sum);
    } else {
      byParty.delete(party);
    }
  };
  return {
    all: () => all,
    of: (party: string) => byParty.get(party) ?? 0,
    /** @returns a function that subtracts the bytes again, once */
    add: (party: string, bytes: number): (() => void) => {
      change(party, bytes);
      let subtracted = false;
      return () => {
        change(party, subtracted ? 0 : -bytes);
        subtracted = true;
      };
    },
  };
};

/** Number of ended jobs that the rate is computed from. */
const ENDS = 64;

/** The rate of recently ended jobs. Before the first has ended: one per second. */
const endsPerSecond = (clock: () => number) => {
  const ends: number[] = [];
  return {
    ended: (): void => {
      ends.push(clock());
      if (ends.length > ENDS) {
        ends.shift();
      }
    },
    rate: (): number => {
      const [first] = ends;
      return first === undefined ? 1 : (1_000 * ends.length) / Math.max(1, clock() - first);
    },
  };
};
