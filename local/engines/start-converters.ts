import { availableParallelism } from "node:os";
import { type ConverterPool, converterPool } from "../../functions/engines/core/run.ts";
import type { Enclosure } from "../../functions/engines/core/sandbox/enclosure.ts";
import { asError, logger } from "../../functions/logger.ts";
import { residentPrograms, spareBrowsers } from "../memory/resident-programs.ts";
import { furtherSlotsFor, type WarmPool, warmPool } from "../queue/warm-up.ts";
import type { Settings } from "../settings.ts";
import type { ConverterFiles } from "./converter-files.ts";

/** The converters of the service, one of which is starting. */
export interface Converters {
  readonly pool: ConverterPool;
  /** The same pool, whose further converters start when they are needed. */
  readonly warm: WarmPool;
  /** Resolves when the first converter has loaded its engine, and never rejects. */
  readonly warmedUp: Promise<void>;
  /** Converters of queued jobs: one per core. */
  readonly slots: number;
  /** Further converters of small images. */
  readonly furtherSlots: number;
}

/**
 * Starts the first converter in its own process.
 *
 * @param slots converters of queued jobs, or those of a process without a queue. @default one per core
 */
export const startConverters = (
  {
    memoryBytes,
    apiProcesses,
    slots = availableParallelism(),
  }: Pick<Settings, "apiProcesses" | "memoryBytes"> & { readonly slots?: number },
  { converterEntry: entry, scratchFolder, hidden, enclosure }: ConverterFiles & { readonly enclosure: Enclosure },
): Converters => {
  const furtherSlots = furtherSlotsFor(slots);
  const pool = converterPool({
    size: slots + furtherSlots,
    entry,
    enclosure,
    scratchFolder,
    hidden,
    residentPrograms: residentPrograms(memoryBytes, slots, apiProcesses),
    spares: spareBrowsers(memoryBytes, slots, apiProcesses),
    onSpareError: onConverterError,
  });
  const warm = warmPool({ ...pool, furtherSlots }, onConverterError);
  return { pool, warm, warmedUp: warm.warmUp(), slots, furtherSlots };
};

const onConverterError = (error: unknown): void =>
  logger.warn("a converter was not started", { error: asError(error) });
