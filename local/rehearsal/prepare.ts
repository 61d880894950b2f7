import type { Server } from "node:http";
import { CONVERTER_NODE_OPTIONS } from "../../functions/engines/core/converter-process.ts";
import { asError, logger } from "../../functions/logger.ts";
import { bundleService } from "../bundle/service-bundle.ts";
import type { LocalContext } from "../context.ts";
import { compileEngines } from "../engines/compiled-engines.ts";
import type { Converters } from "../engines/start-converters.ts";
import { idleServer } from "./idle.ts";
import { type RehearsalSettings, rehearse } from "./rehearse.ts";

interface PreparationSettings extends RehearsalSettings {
  /** Resolves when the first converter has its engine loaded. */
  readonly warmedUp: Promise<void>;
}

interface Parts extends Pick<PreparationSettings, "onError" | "settings" | "signal"> {
  readonly context: LocalContext;
  readonly converters: Pick<Converters, "pool" | "warm" | "warmedUp">;
  readonly server: Server;
}

/** @returns the preparation of a process with these parts */
export const preparationOf = ({ context, converters, server, ...others }: Parts): PreparationSettings => ({
  ...others,
  installed: context,
  scratchFolder: context.scratchFolder,
  conversions: converters.pool.briefly,
  warmedUp: converters.warmedUp,
  whenIdle: idleServer(server, converters.warm.isBusy),
});

/**
 * Prepares a process for its first clients after the start, without delaying those that have come already: V8 compiles what
 * they use.
 */
export const rehearseWhenWarm = async ({ warmedUp, ...rehearsal }: PreparationSettings): Promise<void> => {
  await warmedUp;
  if (rehearsal.settings.rehearses) {
    await rehearse(rehearsal).catch(warning("the service was not rehearsed"));
  }
};

/** Prepares the service, and compiles the sources of converters for all processes. Resolves when that has begun. */
export const prepare = async (preparation: PreparationSettings): Promise<void> => {
  await rehearseWhenWarm(preparation);
  if (!preparation.signal.aborted) {
    compileEngines(CONVERTER_NODE_OPTIONS)
      .catch(warning("the converters' sources were not compiled"))
      .then(() => bundleService())
      .catch(warning("the service was not bundled"));
  }
};

const warning =
  (message: string) =>
  (error: unknown): void =>
    logger.warn(message, { error: asError(error) });
