import { statfsSync } from "node:fs";
import { RequestError } from "../functions/domain/errors.ts";
import { DISK_FREE_BYTES_MIN, RETRY_AFTER_SECONDS_MAX } from "../functions/domain/limits.ts";
import type { Admission } from "../functions/domain/ports.ts";
import { fairPlaces } from "./fair-places.ts";
import type { LocalQueue } from "./sqlite-queue.ts";

/** What one machine has room for, as its runner sees it. */
export interface LocalAdmission extends Admission {
  /** Tells that a job has ended: its pace is what those who are refused are told. */
  jobEnded(): void;
}

export interface AdmissionSettings {
  readonly queue: Pick<LocalQueue, "waiting">;
  /** Jobs that may wait, of all accounts. */
  readonly waitingMax: number;
  /** A folder on the disk that files go to. */
  readonly folder: string;
  /** @default DISK_FREE_BYTES_MIN */
  readonly freeBytesMin?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Jobs wait in a queue of so many places, which accounts share: see `fair-places.ts`. Files are taken while the disk keeps
 * enough room for what is converted already.
 */
export const localAdmission = (settings: AdmissionSettings): LocalAdmission => {
  const { queue, waitingMax, folder, clock, freeBytesMin = DISK_FREE_BYTES_MIN } = settings;
  const places = fairPlaces(waitingMax, { all: queue.waiting.all, heldBy: queue.waiting.of });
  const pace = endsPerSecond(clock);
  const coming = sums();
  return {
    job: (accountId) => {
      const giveBack = places.take(accountId);
      if (giveBack === undefined) {
        const own = places.heldBy(accountId);
        const seconds = secondsToTenth(own, pace.rate() / Math.max(1, queue.waiting.accounts().size));
        throw busy(`There is no room for one more job, and ${own} of yours wait. Try again in ${seconds} s.`, seconds);
      }
      return giveBack;
    },
    file: (party, bytes) => {
      const { bavail, bsize } = statfsSync(folder);
      const left = bavail * bsize - freeBytesMin - coming.all() - bytes;
      // The rule of the places: who announces much and sends nothing keeps no more than half of the room from others.
      if (left < coming.of(party)) {
        throw busy("There is no room for this file now. Try again when others have expired.", RETRY_AFTER_SECONDS_MAX);
      }
      return coming.add(party, bytes);
    },
    jobEnded: pace.ended,
  };
};

const busy = (detail: string, seconds: number): RequestError =>
  new RequestError("temporarily_unavailable", detail, { headers: { "retry-after": String(seconds) } });

/** @returns seconds until a tenth of the account's jobs has ended: room for so many is worth coming back for */
const secondsToTenth = (jobs: number, endsPerSecond: number): number =>
  Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(1, Math.ceil(jobs / 10 / endsPerSecond)));

/** Bytes that are still to come, by party. */
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
    /** @returns takes them away again, once */
    add: (party: string, bytes: number): (() => void) => {
      change(party, bytes);
      let given = false;
      return () => {
        change(party, given ? 0 : -bytes);
        given = true;
      };
    },
  };
};

/** Ends that the pace is told from. */
const ENDS = 64;

/** The pace of the last ends; one a second as long as there was none. */
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
