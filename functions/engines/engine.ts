import type { FormatId } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { EngineId } from "../domain/lanes.ts";
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
  /** Path of the file to write. */
  readonly output: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** Only those that the conversion's row names. */
  readonly options: Options;
}

export interface EngineResult {
  readonly warnings: readonly Warning[];
}
