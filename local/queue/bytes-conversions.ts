import { readFileSync, statSync } from "node:fs";
import { BYTES_INPUT_MAX } from "../../functions/domain/conversions/conversion-limits.ts";
import { engineOf } from "../../functions/domain/conversions/engines.ts";
import type { RouteStep } from "../../functions/domain/conversions/plan.ts";
import type { FileStore, Stored } from "../../functions/domain/file-ports.ts";
import type { Context, JobMessage } from "../../functions/domain/ports.ts";
import type { BytesConversion, BytesConversionResult } from "../../functions/engines/core/convert-bytes.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";
import type { ConversionTask } from "../../functions/engines/core/task.ts";
import { convertFile } from "../../functions/events/convert-file.ts";
import type { RunConversion } from "../../functions/events/convert-inputs.ts";
import type { MessageOutcome } from "../../functions/events/queue.ts";
import type { ScratchFolders } from "../../functions/events/scratch.ts";
import type { LocalContext } from "../context.ts";
import type { FolderFiles } from "../files/folder-files.ts";
import type { MessageSlot } from "./dispatcher.ts";

/** Conversions of small files as bytes in memory, which spare a converter and this process most system calls. */

/** @returns whether an engine can convert bytes by these steps */
export const takesBytes = (steps: readonly RouteStep[]): steps is readonly [RouteStep] => {
  const [first, second] = steps;
  return first !== undefined && second === undefined && engineOf(first.engine).takesBytes === true;
};

/** Returns the memory at once: V8 would start a collection for every few inputs. Parts of shared memory are left to it. */
export const freeMemory = (chunks: readonly Uint8Array[]): void => {
  for (const { buffer, length } of chunks) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === length) {
      buffer.transfer(0);
    }
  }
};

interface Ways {
  /** Converts in memory. @returns undefined if the conversion needs files */
  readonly withBytes: (...task: Parameters<RunConversion>) => Promise<BytesConversionResult | undefined>;
  readonly withFiles: RunConversion;
  /** When a result that was in memory counts as stored. */
  readonly stored: Stored;
}

/** @returns a conversion in memory if possible, otherwise with files, and what stores and returns its result */
export const bytesFirst = (
  files: Pick<FolderFiles, "storeBytes" | "storeFile">,
  { withBytes, withFiles, stored }: Ways,
) => {
  let made: BytesConversionResult | undefined;
  const run: RunConversion = async (task, limits) => {
    made = await withBytes(task, limits);
    return made === undefined ? withFiles(task, limits) : { ...made, output: "", bundled: false };
  };
  const storeFile: FileStore["storeFile"] = (key, path, mediaType) =>
    made === undefined ? files.storeFile(key, path, mediaType) : files.storeBytes(key, made.output, stored);
  return { run, storeFile, made: () => made };
};

interface QueuedSettings {
  readonly pool: Pick<ConverterPool, "run" | "runBytes">;
  readonly scratch: ScratchFolders;
}

/**
 * Converts the file of a queued job, as `convertFile` does. The content and the result of a small file stay in memory. The
 * slot is free when the converter is.
 */
export const convertQueued =
  (context: Context & Pick<LocalContext, "files">, { pool, scratch }: QueuedSettings) =>
  (message: JobMessage, slot: MessageSlot): Promise<MessageOutcome> => {
    const withBytes: Ways["withBytes"] = async (task, limits) => {
      const conversion = inMemory(task);
      if (conversion === undefined) {
        return undefined;
      }
      slot.countAsBrief();
      const made = await pool.runBytes(conversion, limits);
      if (made !== undefined) {
        freeMemory(conversion.input);
      }
      return made;
    };
    const { run, storeFile } = bytesFirst(context.files, { withBytes, withFiles: pool.run, stored: "written" });
    const own = { ...context, files: { ...context.files, storeFile } };
    return convertFile(own, (...task) => run(...task).finally(slot.free), scratch)(message);
  };

/** @returns the conversion with its input in memory; undefined if it needs files */
const inMemory = ({ steps, options, input, ...task }: ConversionTask): BytesConversion | undefined => {
  const { further = [], optionFiles = [], helper } = task;
  const hasOneFile = further.length === 0 && optionFiles.length === 0 && helper === undefined;
  return hasOneFile && takesBytes(steps) && statSync(input).size <= BYTES_INPUT_MAX
    ? { step: steps[0], options, input: [readFileSync(input)] }
    : undefined;
};
