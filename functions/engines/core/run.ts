import { tmpdir } from "node:os";
import {
  CONVERTER_IDLE_BYTES_MAX,
  CONVERTER_JOBS_MAX,
  CONVERTER_MEMORY_BYTES_MAX,
} from "../../domain/conversions/conversion-limits.ts";
import { type EngineId, runScripts } from "../../domain/conversions/engines.ts";
import { JobError } from "../../domain/errors.ts";
import { bytesSocket } from "./bytes-socket.ts";
import { type Conversation, converse, type RunLimits } from "./conversation.ts";
import type { ConversionResult, ConversionTask } from "./convert.ts";
import type { BytesConversion, BytesConversionResult, BytesRequest } from "./convert-bytes.ts";
import { startProcess } from "./converter-process.ts";
import { measuredRarely, residentBytes } from "./memory.ts";
import type { BytesReply } from "./messages.ts";
import { pool } from "./pool.ts";
import { processExit } from "./process-exit.ts";
import { type ProgramPlace, programPlaces } from "./program-places.ts";
import { diskLimits } from "./sandbox/disk.ts";
import { type Enclosure, limitsAlone } from "./sandbox/enclosure.ts";
import { type Admitted, isResult, sandboxFolderFor } from "./sandbox/folder.ts";
import { CONVERTER_AGE_MS_MAX } from "./sandbox/limits.ts";
import { below } from "./sandbox/tree.ts";
import { spares } from "./spares.ts";

/** Converter processes: they are started here, lent to one conversion after another, and killed here. */

/** A pool of converter processes. They stay alive between conversions, so that the next one finds its engine loaded. */
export interface ConverterPool {
  readonly size: number;
  /**
   * Converts in a process that handles no other task at the same time. Once this settles, nothing writes to the task's
   * folder.
   *
   * @throws JobError as the engines do, and `timed_out`, `out_of_memory`, `engine_crashed`, `engine_failed`. The cause is for the log.
   */
  run(task: ConversionTask, limits: RunLimits): Promise<ConversionResult>;
  /**
   * The same for bytes, without files.
   * @returns undefined if the conversion needs files
   */
  runBytes(conversion: BytesConversion, limits: RunLimits): Promise<BytesConversionResult | undefined>;
  /**
   * Runs the conversions in one process, which is started if none is idle. The next task finds it with its engine loaded.
   *
   * @throws JobError as `run` does
   */
  warm(conversions: readonly BytesConversion[], limits: RunLimits): Promise<void>;
  /** Converts as the pool does, in a few milliseconds: other tasks wait for the process instead of starting another. */
  readonly briefly: Pick<ConverterPool, "run" | "runBytes">;
  /** Kills all processes. Current and later conversions fail. */
  stop(): Promise<void>;
}

export interface ConverterPoolSettings {
  readonly size: number;
  /** Path of the program: `converter.ts`, or its bundle. */
  readonly entry: string;
  /** @default CONVERTER_MEMORY_BYTES_MAX */
  readonly memoryBytesMax?: number;
  /** @default CONVERTER_IDLE_BYTES_MAX */
  readonly idleBytesMax?: number;
  /** Conversions after which a process is replaced. @default CONVERTER_JOBS_MAX */
  readonly jobsMax?: number;
  /** Conversions that may wait for a process; further ones fail. @default 1,000 */
  readonly waitingMax?: number;
  /** Milliseconds after which a process is replaced. @default CONVERTER_AGE_MS_MAX */
  readonly ageMsMax?: number;
  /** The sandbox around each process. @default limits alone */
  readonly enclosure?: Enclosure;
  /** For temporary files of sandboxed converters; on the same disk as the task folders. @default the system's folder */
  readonly scratchFolder?: string;
  /** Folders with data of the service, which a sandboxed converter does not see. @default none */
  readonly hidden?: readonly string[];
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
  const lentBy = (use: typeof converters.use): ConverterPool["briefly"] => ({
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
      converters.use(async (converter) => {
        for (const conversion of conversions) {
          await converter.get().runBytes(conversion, limits);
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

/** One process. */
interface Converter extends Pick<ConverterPool, "run" | "runBytes"> {
  /** As `run`, for the last task of the process, which is killed. Nothing waits for its end. */
  runLast: ConverterPool["run"];
  /** Number of finished conversions. */
  done(): number;
  ageMs(): number;
  memoryBytes(): number;
  /** Whether it runs, and has sent only what it announced. */
  isSound(): boolean;
  /** Starts what the engine needs for its next conversion. @throws as `run` does */
  prepare(engine: EngineId, limits: RunLimits): Promise<void>;
  /** Kills the process and everything it started. Resolves when it has exited. */
  kill(): Promise<void>;
}

const startConverter = (settings: ConverterPoolSettings, place: ProgramPlace): Converter => {
  const { enclosure = limitsAlone, memoryBytesMax = CONVERTER_MEMORY_BYTES_MAX } = settings;
  const sandbox = sandboxFolderFor(enclosure.protections, settings.scratchFolder ?? tmpdir());
  const {
    child,
    bytes,
    exited,
    isAlive,
    hold,
    kill: killNow,
  } = startProcess({ ...settings, enclosure, place, folder: sandbox.folder });
  const started = performance.now();
  let done = 0;
  const kill = async (): Promise<void> => {
    hold(true);
    killNow();
    await exited;
    await sandbox.remove();
  };
  const socket = bytesSocket(bytes);
  const memory = measuredRarely(() => residentBytes(below(child.pid, enclosure.depth)));
  const withOutput = async ({ outputBytes, ...made }: BytesReply): Promise<BytesConversionResult> => ({
    ...made,
    output: await socket.receive(outputBytes),
  });
  // Of the disk's total size, which does not change.
  const ownDisk = diskLimits(sandbox.folder || tmpdir());
  const common = { memoryBytesMax, enclosure, kill: killNow, exit: processExit(exited) };
  const converseWhileHeld = async <Result>(task: object, conversation: Conversation<Result>): Promise<Result> => {
    hold(true);
    try {
      return await converse(child, task, conversation);
    } finally {
      done += 1;
      hold(false);
    }
  };
  const convert = ({ folder, ...task }: ConversionTask, limits: RunLimits): Promise<ConversionResult> =>
    converseWhileHeld<ConversionResult>(
      { folder, ...task },
      {
        disk: diskLimits(folder),
        ...common,
        ...limits,
        written: [folder, ...sandbox.written],
        accept: (reply) => ("result" in reply && isResult(reply.result.output, folder) ? reply.result : undefined),
      },
    );
  return {
    run: async (task, limits) => {
      const admitted = sandbox.admit(task);
      try {
        const result = await convert(admitted.task, limits);
        return { ...result, output: admitted.outside(result.output) };
      } finally {
        memory.changed();
        await reclaim(admitted, kill);
      }
    },
    runLast: async (task, limits) => {
      const admitted = sandbox.admit(task);
      const result = await convert(admitted.task, limits).catch(async (error: unknown) => {
        killNow();
        await exited;
        admitted.release();
        throw error;
      });
      killNow();
      return { ...result, output: admitted.take(result.output) };
    },
    runBytes: async ({ input, ...conversion }, limits) => {
      const { announced, send } = socket.input(input);
      const request: BytesRequest = { ...conversion, ...announced };
      const result = await converseWhileHeld<BytesConversionResult | "files">(request, {
        disk: ownDisk,
        ...common,
        ...limits,
        written: sandbox.written,
        sendInput: send,
        accept: (reply) => ("made" in reply ? withOutput(reply.made) : "filesNeeded" in reply ? "files" : undefined),
      });
      // A converter that replied before it had read its input is not to read what replaces it.
      return result === "files" ? undefined : { ...result, isInputFree: socket.isSent() };
    },
    done: () => done,
    ageMs: () => performance.now() - started,
    memoryBytes: memory.bytes,
    isSound: () => isAlive() && socket.isEmpty(),
    prepare: (engine, limits) =>
      converseWhileHeld<void>(
        { prepare: engine },
        {
          disk: ownDisk,
          ...common,
          ...limits,
          written: sandbox.written,
          accept: (reply) => ("prepared" in reply ? Promise.resolve() : undefined),
        },
      ),
    kill,
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

/** A converter that deleted its task's folder is no longer trustworthy, so it is killed. */
const reclaim = async (admitted: Pick<Admitted<unknown>, "release">, kill: () => Promise<void>): Promise<void> => {
  try {
    admitted.release();
  } catch (error) {
    await kill();
    throw error;
  }
};
