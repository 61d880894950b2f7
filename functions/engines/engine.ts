import type { EngineId } from "../domain/engines.ts";
import type { FormatId } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Options } from "../domain/options.ts";

/**
 * An engine turns one local file into another. It knows nothing of jobs, stores or HTTP, and runs in a converter
 * process of its own kind, so it may crash, and may hold memory until the process is replaced.
 */
export interface Engine {
  readonly name: EngineId;
  /** @returns the version of the tool. Rejects when the tool is not there. */
  version(): Promise<string>;
  /**
   * Reads `input`, writes `output`, which does not exist yet.
   * @throws JobError with a code of the table: bad input, limits and missing features get the input's codes; whatever
   * else is thrown counts as `engine_failed`
   */
  convert(task: EngineTask): Promise<EngineResult>;
}

export interface EngineTask {
  /** Path of a file whose format was told from its bytes. */
  readonly input: string;
  /** The files that are merged behind the first, in their order; only where the conversion merges. */
  readonly further: readonly FurtherFile[];
  /** The name of the input, where it and the further files are packed as they are, under their names. */
  readonly packAs?: string;
  /** Path of the file to write. */
  readonly output: string;
  /** Path of an empty folder of the step's own, for what it needs on the way and for parts. */
  readonly folder: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** Only those that the conversion's row names. */
  readonly options: Options;
  /** Tells how far it is: 0 to 1. */
  readonly progress: (share: number) => void;
}

/** A file that is merged behind the first; it may be of another format. */
export interface FurtherFile {
  readonly path: string;
  readonly from: FormatId;
  /** What it is called, where it is packed. */
  readonly name?: string;
}

export interface EngineResult {
  readonly warnings: readonly Warning[];
  /**
   * Files in `folder`, in their order, where one input has several results (pages, sheets, frames); `output` is then
   * not written. One part is as good as an `output`; several become a zip at the end of the route.
   */
  readonly parts?: readonly Part[];
}

/** One of several results: where it lies, and what it is called, without extension: `page-07`, `Sheet1`. */
export interface Part {
  readonly path: string;
  readonly name: string;
}
