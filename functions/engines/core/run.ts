import { CONVERTER_IDLE_BYTES_MAX, CONVERTER_JOBS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { type EngineId, runScripts } from "../../domain/conversions/engines.ts";
import { JobError } from "../../domain/errors.ts";
import type { BytesConversion } from "./convert-bytes.ts";
import type { RunLimits } from "./pool/conversation.ts";
import { pool } from "./pool/pool.ts";
import { programPlaces } from "./pool/program-places.ts";
import { spares } from "./pool/spares.ts";
import { type Converter, type ConverterSettings, startConverter } from "./pool/started-converter.ts";
import { limitsAlone } from "./sandbox/enclosure.ts";
import { CONVERTER_AGE_MS_MAX } from "./sandbox/limits.ts";
import type { ConversionTask } from "./task.ts";

/** Converter processes: they are started here, lent to one conversion after another, and killed here. */

/** Conversions in processes that handle no other task at the same time. */
type Conversions = Pick<Converter, "run" | "runBytes">;

/** A pool of converter processes. They stay alive between conversions, so that the next one finds its engine loaded. */
export interface ConverterPool extends Conversions {
  readonly size: number;
  /**
   * Starts a process, unless as many run as the size, and runs the conversions in it, so that the next task finds its engine
   * loaded. A task that arrives meanwhile waits for the process, and gets it after the current conversion.
   *
   * @throws JobError as `run` does
   */
  warm(conversions: readonly BytesConversion[], limits: RunLimits): Promise<void>;
  /** Converts as the pool does, in a few milliseconds: other tasks wait for the process instead of starting another. */
  readonly briefly: Conversions;
  /** Kills all processes. Current and later conversions fail. */
  stop(): Promise<void>;
}

export interface ConverterPoolSettings extends ConverterSettings {
  readonly size: number;
  /** @default CONVERTER_IDLE_BYTES_MAX */
  readonly idleBytesMax?: number;
  /** Conversions after which a process is replaced. @default CONVERTER_JOBS_MAX */
  readonly jobsMax?: number;
  /** Conversions that may wait for a process; further ones fail. @default 1,000 */
  readonly waitingMax?: number;
  /** Milliseconds after which a process is replaced. @default CONVERTER_AGE_MS_MAX */
  readonly ageMsMax?: number;
  /** Converters that keep programs such as LibreOffice open when they are idle. @default all */
  readonly residentPrograms?: number;
  /** Maximum number of idle converters with a browser for web pages, each of which opens one page. @default 0 */
  readonly spares?: number;
  /**
   * Whether the machine runs one task and has nothing that the task may not reach, so that scripts need no other sandbox.
   * @default false
   */
  readonly isMachineExpendable?: boolean;
  /** Called when such a converter could not be prepared; the page that needs it starts another. @default ignored */
  readonly onSpareError?: (error: unknown) => void;
}

const WAITING_MAX = 1_000;

/** Milliseconds without web pages after which their idle converters are ended. */
const SPARE_IDLE_MS_MAX = 5 * 60_000;
const PREPARE_MS_MAX = 30_000;

/** The engine that converters for web pages have ready. */
const SPARE_ENGINE: EngineId = "web";

/** Starts processes only when there is something to convert. */
export const converterPool = (settings: ConverterPoolSettings): ConverterPool => {
  const { size, jobsMax = CONVERTER_JOBS_MAX, idleBytesMax = CONVERTER_IDLE_BYTES_MAX } = settings;
  const { ageMsMax = CONVERTER_AGE_MS_MAX } = settings;
  const placeFor = programPlaces(settings.residentPrograms ?? size);
  const converters = pool({
    size,
    waitingMax: settings.waitingMax ?? WAITING_MAX,
    // A task with scripts has another converter, so that of its slot starts when it is needed.
    start: () => lazy(() => startConverter(settings, placeFor())),
    isFit: ({ started }) => {
      const converter = started();
      return converter === undefined || isFit(converter);
    },
    end: async ({ started }) => started()?.kill(),
  });
  const isFit = ({ done, ageMs, memoryBytes, isSound }: Converter): boolean =>
    isSound() && done() < jobsMax && ageMs() < ageMsMax && memoryBytes() <= idleBytesMax;
  const scripted = spares({
    countMax: Math.min(size, settings.spares ?? 0),
    endingMax: size,
    idleMsMax: SPARE_IDLE_MS_MAX,
    start: () => startConverter(settings, placeFor()),
    prepare: (converter) => converter.prepare(SPARE_ENGINE, { timeoutMs: PREPARE_MS_MAX }),
    isFit: (converter) => converter.isSound() && converter.ageMs() < ageMsMax,
    end: (converter) => converter.kill(),
    onError: settings.onSpareError ?? (() => {}),
  });
  const lentBy = (use: typeof converters.use): Conversions => ({
    run: (task, limits) =>
      use((converter) =>
        isScripted(task, settings)
          ? scripted.use((alone) => alone.runLast(task, limits))
          : converter.get().run(task, limits),
      ),
    runBytes: (conversion, limits) => use((converter) => converter.get().runBytes(conversion, limits)),
  });
  return {
    size,
    ...lentBy(converters.use),
    warm: (conversions, limits) =>
      converters.prepare(async (converter, isAwaited) => {
        for (const conversion of conversions) {
          await converter.get().runBytes(conversion, limits);
          if (isAwaited()) {
            return;
          }
        }
      }),
    briefly: lentBy(converters.useBriefly),
    stop: async () => {
      await Promise.all([converters.stop(), scripted.stop()]);
    },
  };
};

interface Lazy<T> {
  get(): T;
  started(): T | undefined;
}

/** @returns a thing that is started by the first `get` */
const lazy = <T>(start: () => T): Lazy<T> => {
  let thing: T | undefined;
  return {
    get: () => {
      thing ??= start();
      return thing;
    },
    started: () => thing,
  };
};

/**
 * @returns whether the task runs scripts of its source, so that its converter must have no other task
 * @throws JobError `unsupported_feature` if it does, and the sandbox does not restrict files and the network
 */
const isScripted = ({ steps }: ConversionTask, settings: ConverterPoolSettings): boolean => {
  const { enclosure: { protections } = limitsAlone, isMachineExpendable = false } = settings;
  const scripted = runScripts(steps.map(({ engine }) => engine));
  if (scripted && !isMachineExpendable && !(protections.includes("files") && protections.includes("network"))) {
    throw new JobError("unsupported_feature", "This server has no sandbox for web pages and scripts.");
  }
  return scripted;
};
