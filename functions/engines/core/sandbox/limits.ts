import { availableParallelism } from "node:os";
import {
  ARCHIVE_BYTES_MAX,
  ARCHIVE_ENTRIES_MAX,
  MEDIA_INPUT_BYTES_MAX,
  MEDIA_MEMORY_BYTES_MAX,
  OUTPUT_BYTES_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { lanes } from "../../../domain/conversions/lanes.ts";

/**
 * Machine resources that a converter may use. Time and memory are not here: each conversion has separate limits for
 * them.
 */

/** Maximum size of one written file, in bytes: the largest possible file is the only member of an archive. */
export const FILE_BYTES_MAX = ARCHIVE_BYTES_MAX;

/** Open files per process: a browser has 300, a merge of a hundred files about 200. */
export const OPEN_FILES_MAX = 4_096;

/**
 * Bytes of private writable memory of one process. Reservations do not count, and the address space cannot be limited:
 * V8 reserves a terabyte, and each WebAssembly module 10 GB. This stops memory growth between two checks.
 */
export const DATA_BYTES_MAX = MEDIA_MEMORY_BYTES_MAX + 1_000_000_000;

/** Milliseconds after which an idle converter is replaced. */
export const CONVERTER_AGE_MS_MAX = 3_600_000;

/** CPU seconds of one process: all cores for its maximum lifetime, plus the longest conversion. */
export const cpuSecondsMax = (): number =>
  (CONVERTER_AGE_MS_MAX / 1_000 + lanes.media.conversionSecondsMax) * availableParallelism();

/** Concurrent processes of a converter: a browser has ten, LibreOffice three. */
export const PROCESSES_MAX = 200;

/** Threads of all these processes, as the kernel counts them (`RLIMIT_NPROC`). Codecs start several per core. */
export const threadsMax = (): number => 1_024 + 32 * availableParallelism();

/** Bytes of shared memory. No engine uses any, because containers and Lambda provide little or none. */
export const SHARED_MEMORY_BYTES_MAX = 64 * 1_048_576;

/** Disk space of one conversion, in bytes: the unpacked archive, the result, and the largest input. */
export const SCRATCH_BYTES_MAX = ARCHIVE_BYTES_MAX + OUTPUT_BYTES_MAX + MEDIA_INPUT_BYTES_MAX;

/**
 * The share of the disk that a conversion may use, where that is less: a function has little more than its lane needs.
 */
export const SCRATCH_SHARE_MAX = 0.9;

/** Files and folders of one conversion: the members of an archive, plus those of long-running programs. */
export const SCRATCH_FILES_MAX = ARCHIVE_ENTRIES_MAX + 10_000;
