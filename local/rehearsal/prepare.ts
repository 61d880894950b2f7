import { CONVERTER_NODE_OPTIONS } from "../../functions/engines/core/converter-process.ts";
import { asError, logger } from "../../functions/logger.ts";
import { compileEngines } from "../engines/compiled-engines.ts";
import { type RehearsalSettings, rehearse } from "./rehearse.ts";

/** How long LibreOffice waits for a moment without clients. A busy service starts it for its first document. */
const IDLE_WAIT_MS_MAX = 10_000;

export interface PreparationSettings extends RehearsalSettings {
  /** Resolves when the first converter has its engine loaded. */
  readonly warmedUp: Promise<void>;
  /** Starts a LibreOffice that waits for the first document. @default none is started before it is needed */
  readonly openOffice: (() => Promise<void>) | undefined;
}

/**
 * Prepares the service for its first clients after the start, without delaying those that have come already: V8 compiles what
 * they use, LibreOffice starts, and the sources of converters are compiled. Resolves when the last two have begun.
 */
export const prepare = async ({ warmedUp, openOffice, ...rehearsal }: PreparationSettings): Promise<void> => {
  await warmedUp;
  if (rehearsal.settings.rehearses) {
    await rehearse(rehearsal).catch(warning("the service was not rehearsed"));
    const over = AbortSignal.any([rehearsal.signal, AbortSignal.timeout(IDLE_WAIT_MS_MAX)]);
    await rehearsal.whenIdle(over);
    if (!over.aborted) {
      openOffice?.().catch(warning("LibreOffice was not started before the first document"));
    }
  }
  if (!rehearsal.signal.aborted) {
    compileEngines(CONVERTER_NODE_OPTIONS).catch(warning("the converters' sources were not compiled"));
  }
};

const warning =
  (message: string) =>
  (error: unknown): void =>
    logger.warn(message, { error: asError(error) });
