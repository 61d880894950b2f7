import { createRequire } from "node:module";
import type { EngineId } from "../../domain/conversions/engines.ts";
import type { OptionName, Options } from "../../domain/conversions/options.ts";
import { JobError } from "../../domain/errors.ts";
import type { FormatId } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";

/**
 * An engine converts one local file into another. It knows nothing about jobs, storage or HTTP. It runs in a separate
 * converter process, so it may crash, and may hold memory until the process is replaced.
 */
export interface Engine {
  readonly name: EngineId;
  /** @returns the version of the tool. Rejects when the tool is not installed. */
  version(): Promise<string>;
  /**
   * Reads `input` and writes `output`, which does not exist yet.
   * @throws JobError with a documented code: bad input, limits and unsupported features get the input's codes; any
   * other error counts as `engine_failed`
   */
  convert(task: EngineTask): Promise<EngineResult>;
  /** Starts what the next conversion needs, before it is known. */
  prepare?(): Promise<void>;
  /**
   * The same for a small file in memory.
   * @returns undefined if this conversion needs files
   */
  convertBytes?(task: BytesTask): Promise<BytesResult | undefined>;
}

/** A conversion of bytes to bytes. */
export interface BytesTask extends Pick<EngineTask, "from" | "to" | "options"> {
  readonly input: Buffer;
}

export interface BytesResult {
  readonly bytes: Uint8Array;
  readonly warnings: readonly Warning[];
}

export interface EngineTask {
  /** Path of a file whose format was detected from its content. */
  readonly input: string;
  /** The client's name of the input, in the first step. @default unknown */
  readonly name?: string;
  /** The files to append to the input, in order; only for merges. */
  readonly further: readonly FurtherFile[];
  /** The files of options whose value is an upload. */
  readonly optionFiles: OptionFiles;
  /** The input's name, when it and the further files are packed unchanged, under their names. */
  readonly packAs?: string;
  /** Path of the file to write. */
  readonly output: string;
  /** Path of the step's empty working directory, for temporary files and parts. */
  readonly folder: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** Only the options that the conversion's row lists. */
  readonly options: Options;
  /** Where the engine is that some files need in addition: the `helper` of the conversion. @default nowhere */
  readonly helper?: Helper;
  /** Path of the Unix socket of an HTTP proxy, the only way to the network. @default no network */
  readonly network?: string;
  /** Reports the progress: 0 to 1. */
  readonly progress: (share: number) => void;
}

/** `here`: the lane has the engine. `elsewhere`: in another lane; {@link HelperNeeded} moves the job there. */
export type Helper = "here" | "elsewhere";

/** Thrown by an engine for a file that needs the helper of the conversion, if only another lane has it. */
export class HelperNeeded extends Error {
  override readonly name = "HelperNeeded";
}

/**
 * Thrown when the engine of the first step refuses the file as damaged or unsupported: another engine may be able to read
 * it. Its code and detail are those of the engine.
 */
export class FileRefused extends JobError {
  override readonly name = "FileRefused";
}

/** A file to append to the input; it may have a different format. */
export interface FurtherFile {
  readonly path: string;
  readonly from: FormatId;
  /** Its name in an archive. */
  readonly name?: string;
}

/** The files of options whose value is an upload. */
export type OptionFiles = { readonly [Name in OptionName]?: OptionFile };

/** The file of an option. Unlike `further`, each step has it. */
export interface OptionFile {
  readonly path: string;
  readonly from: FormatId;
  /** The client's name of the file. */
  readonly name: string;
}

export interface EngineResult {
  readonly warnings: readonly Warning[];
  /**
   * Files in `folder`, in order, when one input has several results (pages, sheets, frames); `output` is then not
   * written. A single part is equivalent to `output`; several are zipped at the end of the route.
   */
  readonly parts?: readonly Part[];
}

/** One of several results: its path, and its name without extension: `page-07`, `Sheet1`. */
export interface Part {
  readonly path: string;
  readonly name: string;
}

/**
 * Finds an engine's table row for a format.
 *
 * @throws TypeError when there is none: the conversion table lists a pair that the engine does not support
 */
export const rowFor = <T>(table: Partial<Record<FormatId, T>>, format: FormatId, engine: string): T => {
  const row = table[format];
  if (row === undefined) {
    throw new TypeError(`${engine} has no row for ${format}.`);
  }
  return row;
};

/**
 * @returns the version of an installed npm package; on Lambda it is in a layer, which `require` finds through
 * `NODE_PATH`
 */
export const packageVersion = (name: string): string => {
  const { version }: { version: string } = createRequire(import.meta.url)(`${name}/package.json`);
  return version;
};
