import { availableParallelism } from "node:os";
import {
  ARCHIVE_BYTES_MAX,
  ARCHIVE_ENTRIES_MAX,
  MEDIA_INPUT_BYTES_MAX,
  MEDIA_MEMORY_BYTES_MAX,
  OUTPUT_BYTES_MAX,
} from "../../domain/conversion-limits.ts";
import { lanes } from "../../domain/lanes.ts";

/** What a converter may take of the machine, beside time and memory, which each conversion brings its own limits of. */

/** Bytes of one file that it writes: the largest is the only member of an archive. */
export const FILE_BYTES_MAX = ARCHIVE_BYTES_MAX;

/** Files that one process has open: a browser has 300, a merge of a hundred files some 200. */
export const OPEN_FILES_MAX = 4_096;

/**
 * Bytes of memory of one process that only it may write. What is reserved does not count, and the address space cannot be
 * limited: V8 reserves a terabyte, each module of WebAssembly ten gigabytes. It stops what grows between two looks.
 */
export const DATA_BYTES_MAX = MEDIA_MEMORY_BYTES_MAX + 1_000_000_000;

/** Milliseconds after which a converter is replaced, when it has no conversion in hand. */
export const CONVERTER_AGE_MS_MAX = 3_600_000;

/** Seconds of CPU of one process: all cores for as long as it may live, and for the longest conversion on top. */
export const cpuSecondsMax = (): number =>
  (CONVERTER_AGE_MS_MAX / 1_000 + lanes.media.conversionSecondsMax) * availableParallelism();

/** Processes of a converter at the same time: a browser has ten, an office three. */
export const PROCESSES_MAX = 200;

/** Threads of all of them, as the kernel counts (`RLIMIT_NPROC`): codecs start some for each core. */
export const threadsMax = (): number => 1_024 + 32 * availableParallelism();

/** Bytes of shared memory: none of the engines takes any, since containers and Lambda give little or none. */
export const SHARED_MEMORY_BYTES_MAX = 64 * 1_048_576;

/** Bytes on the disk of one conversion: what an archive unpacks to, the result, and the largest input. */
export const SCRATCH_BYTES_MAX = ARCHIVE_BYTES_MAX + OUTPUT_BYTES_MAX + MEDIA_INPUT_BYTES_MAX;

/** The share of its disk that a conversion may take, where that is less: a function has little more than its lane needs. */
export const SCRATCH_SHARE_MAX = 0.9;

/** Files and folders of one conversion: the members of an archive, and what programs that stay have for themselves. */
export const SCRATCH_FILES_MAX = ARCHIVE_ENTRIES_MAX + 10_000;
