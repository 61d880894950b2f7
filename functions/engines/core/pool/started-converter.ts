import { tmpdir } from "node:os";
import { CONVERTER_MEMORY_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { EngineId } from "../../../domain/conversions/engines.ts";
import type { BytesConversion, BytesConversionResult, BytesRequest } from "../convert-bytes.ts";
import { startProcess } from "../converter-process.ts";
import { measuredRarely, residentBytes } from "../memory.ts";
import type { BytesReply } from "../messages.ts";
import { resultSocket } from "../result-socket.ts";
import { diskLimits } from "../sandbox/disk.ts";
import { type Enclosure, limitsAlone } from "../sandbox/enclosure.ts";
import { type Admitted, isResult, sandboxFolderFor } from "../sandbox/folder.ts";
import { below } from "../sandbox/tree.ts";
import type { ConversionResult, ConversionTask } from "../task.ts";
import { type Conversation, converse, type RunLimits } from "./conversation.ts";
import { processExit } from "./process-exit.ts";
import type { ProgramPlace } from "./program-places.ts";

/** One converter process. */
export interface Converter {
  /**
   * Converts. Once this settles, nothing writes to the task's folder.
   *
   * @throws JobError as the engines do, and `timed_out`, `out_of_memory`, `engine_crashed`, `engine_failed`. The cause is for the log.
   */
  run(task: ConversionTask, limits: RunLimits): Promise<ConversionResult>;
  /**
   * The same for bytes, without files.
   * @returns undefined if the conversion needs files
   */
  runBytes(conversion: BytesConversion, limits: RunLimits): Promise<BytesConversionResult | undefined>;
  /** As `run`, for the last task of the process, which is killed. Nothing waits for its end. */
  runLast: Converter["run"];
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

export interface ConverterSettings {
  /** Path of the program: `converter.ts`, or its bundle. */
  readonly entry: string;
  /** @default CONVERTER_MEMORY_BYTES_MAX */
  readonly memoryBytesMax?: number;
  /** The sandbox around the process. @default limits alone */
  readonly enclosure?: Enclosure;
  /** For temporary files of a sandboxed converter; on the same disk as the task folders. @default the system's folder */
  readonly scratchFolder?: string;
  /** Folders with data of the service, which a sandboxed converter does not see. @default none */
  readonly hidden?: readonly string[];
}

/** Starts the process. It occupies the place until it exits. */
export const startConverter = (settings: ConverterSettings, place: ProgramPlace): Converter => {
  const { enclosure = limitsAlone, memoryBytesMax = CONVERTER_MEMORY_BYTES_MAX } = settings;
  const sandbox = sandboxFolderFor(enclosure.protections, settings.scratchFolder ?? tmpdir());
  const {
    child,
    results,
    input: inputFile,
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
  const socket = resultSocket(results);
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
      const inputBytes = inputFile.write(input);
      if (inputBytes === undefined) {
        return undefined;
      }
      const request: BytesRequest = { ...conversion, inputBytes };
      const result = await converseWhileHeld<BytesConversionResult | "files">(request, {
        disk: ownDisk,
        ...common,
        ...limits,
        written: sandbox.written,
        accept: (reply) => ("made" in reply ? withOutput(reply.made) : "filesNeeded" in reply ? "files" : undefined),
      });
      return result === "files" ? undefined : result;
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

/** A converter that deleted its task's folder cannot be trusted, so it is killed. */
const reclaim = async (admitted: Pick<Admitted<unknown>, "release">, kill: () => Promise<void>): Promise<void> => {
  try {
    admitted.release();
  } catch (error) {
    await kill();
    throw error;
  }
};
