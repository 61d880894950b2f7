import { closeSync, fdatasync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { QuotaClaim } from "../../functions/domain/accounts/quotas.ts";
import { syncFolderNow } from "../files/folder-sync.ts";
import type { Database } from "./database.ts";
import { quotaCounter } from "./quotas.ts";

/**
 * Counts that are on the disk before their conversion has ended, so that its response does not wait for the disk: the
 * disk is written while the converter works. The count itself is recorded at the end, in the database, whose log is synced
 * a moment later. If the power fails in between, the next start counts what was reserved.
 */
export interface Reservations {
  /**
   * Counts what a power failure has left, and begins to reserve. For the service: other processes must not.
   * @returns how many were counted
   */
  recover(): Promise<number>;
  /** @returns undefined if the count must be on the disk before the response instead */
  take(jobId: string, claim: QuotaClaim): Reservation | undefined;
  close(): void;
}

export interface Reservation {
  /** Resolves when a power failure cannot lose it. */
  readonly onDisk: Promise<void>;
  /** Ends it after the job with its count was recorded. */
  recorded(): void;
  /** Ends it without a count. Resolves when no start counts it. */
  cancel(): Promise<void>;
}

/** Reservations that have not ended, or whose end is not on the disk. Each has a block of the file, after that of the header. */
const RESERVATIONS_MAX = 64;
/** Bytes of a block: disks write 512 bytes completely or not at all. */
const BLOCK_BYTES = 512;

/** Milliseconds between the end of a reservation and the sync that makes it permanent. */
const SYNC_MS = 100;

/** A different ID means that the power may have failed. A process that was killed has lost nothing that was written. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

interface Header {
  readonly boot: string;
  /** The last one of which no earlier one counts. */
  readonly ended: number;
}

interface Block {
  readonly number: number;
  readonly job: string;
  readonly claim: QuotaClaim;
}

const toDisk = promisify(fdatasync);

export interface ReservationSettings {
  /** Whether the database has the job. */
  readonly isRecorded: (jobId: string) => boolean;
  /** @default that of the system; without one, nothing is reserved */
  readonly bootId?: string | undefined;
}

/** Reservations in the file `reservations` of the folder. */
export const fileReservations = (
  folder: string,
  database: Database,
  { isRecorded, bootId = readBootId() }: ReservationSettings,
): Reservations => {
  const path = join(folder, "reservations");
  const counter = quotaCounter(database);
  let blocks: Pick<Reservations, "close" | "take"> | undefined;
  return {
    recover: async () => {
      if (bootId === undefined) {
        return 0;
      }
      const left = leftIn(path, bootId).filter(({ job }) => !isRecorded(job));
      if (left.length > 0) {
        await database.durably(() => {
          for (const { claim } of left) {
            counter.take(claim);
          }
        });
      }
      blocks = blocksOf(newFile(path, { boot: bootId, ended: 0 }), bootId, database);
      return left.length;
    },
    take: (jobId, claim) => blocks?.take(jobId, claim),
    close: () => blocks?.close(),
  };
};

const blocksOf = (file: number, boot: string, database: Database): Pick<Reservations, "close" | "take"> => {
  const open = new Set<number>();
  let recorded: number[] = [];
  let [last, isClosed]: [number, boolean] = [0, false];
  let timer: NodeJS.Timeout | undefined;
  const endRecorded = async (): Promise<void> => {
    const ended = recorded;
    [recorded, timer] = [[], undefined];
    try {
      await database.synced();
      for (const number of ended) {
        open.delete(number);
      }
      if (!isClosed) {
        // A later one can end earlier, so the header has the number up to which all have ended.
        write(file, 0, { boot, ended: Math.min(last + 1, ...open) - 1 });
      }
    } catch {
      // They may not be on the disk, so they stay reserved. The next end tries again.
      recorded.push(...ended);
    }
  };
  const reservation = (number: number): Reservation => {
    const onDisk = toDisk(file);
    // A conversion that fails earlier does not await it.
    onDisk.catch(() => {});
    return {
      onDisk,
      recorded: () => {
        recorded.push(number);
        timer ??= setTimeout(endRecorded, SYNC_MS).unref();
      },
      cancel: async () => {
        write(file, placeOf(number), {});
        open.delete(number);
        await toDisk(file);
      },
    };
  };
  return {
    take: (job, claim) => {
      const block: Block = { number: last + 1, job, claim };
      if (block.number - Math.min(block.number, ...open) >= RESERVATIONS_MAX || !fits(block)) {
        return undefined;
      }
      last = block.number;
      open.add(block.number);
      write(file, placeOf(block.number), block);
      return reservation(block.number);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      closeSync(file);
    },
  };
};

const placeOf = (number: number): number => 1 + (number % RESERVATIONS_MAX);

const fits = (content: object): boolean => Buffer.byteLength(JSON.stringify(content)) < BLOCK_BYTES;

const write = (file: number, place: number, content: object): void => {
  writeSync(file, Buffer.from(JSON.stringify(content).padEnd(BLOCK_BYTES)), 0, BLOCK_BYTES, place * BLOCK_BYTES);
};

/** All blocks are allocated, so that later syncs write nothing but data. */
const newFile = (path: string, header: Header): number => {
  const file = openSync(path, "w", 0o600);
  for (let place = RESERVATIONS_MAX; place >= 0; place -= 1) {
    write(file, place, place === 0 ? header : {});
  }
  fsyncSync(file);
  syncFolderNow(dirname(path));
  return file;
};

/** @returns the reservations of a machine that has started again since; each can have been answered */
const leftIn = (path: string, bootId: string): readonly Block[] => {
  const bytes = contentOf(path);
  const blocks = Array.from({ length: RESERVATIONS_MAX + 1 }, (_, place) =>
    parsed(bytes.subarray(place * BLOCK_BYTES, (place + 1) * BLOCK_BYTES)),
  );
  const [header, ...others] = blocks as [Partial<Header>, ...Partial<Block>[]];
  const ended = header.ended ?? 0;
  return header.boot === bootId
    ? []
    : others.filter((block): block is Block => block.number !== undefined && block.number > ended);
};

const contentOf = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch {
    // The first start, or a folder that cannot be read, which opening the file reports.
    return Buffer.alloc(0);
  }
};

/** @returns an empty object for a block that was not written completely, so that nothing was confirmed */
const parsed = (bytes: Buffer): object => {
  try {
    return JSON.parse(bytes.toString("utf8")) as object;
  } catch {
    return {};
  }
};

const readBootId = (): string | undefined => contentOf(BOOT_ID).toString("utf8").trim() || undefined;
