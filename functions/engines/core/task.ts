import type { OptionName, Options } from "../../domain/conversions/options.ts";
import type { RouteStep } from "../../domain/conversions/plan.ts";
import type { StepTiming } from "../../domain/step-timing.ts";
import type { Warning } from "../../domain/warning.ts";
import type { FurtherFile, Helper, OptionFile } from "./engine.ts";

/** What a converter process gets and returns. The service that owns it does not load the engines. */

/** A conversion of one to three steps on local files. */
export interface ConversionTask {
  readonly input: string;
  /** The client's name of the input, for an archive that contains it or its content. */
  readonly name?: string;
  /** Files that the first step, or the one that merges, appends to the input. @default none */
  readonly further?: readonly MergedFile[];
  /** The files of options whose value is an upload. @default none */
  readonly optionFiles?: readonly NamedOptionFile[];
  /** The task's working directory, for intermediate files and the result. */
  readonly folder: string;
  readonly steps: readonly RouteStep[];
  readonly options: Options;
  readonly helper?: Helper;
  /** Whether the folder contains the socket of a proxy, {@link NETWORK_SOCKET}. @default no network */
  readonly network?: boolean;
}

/** A file to merge with the input. */
export interface MergedFile extends FurtherFile {
  /** The steps that convert it first. @default none */
  readonly steps?: readonly RouteStep[];
}

export interface NamedOptionFile extends OptionFile {
  readonly option: OptionName;
}

/** The file name of the proxy's socket. */
export const NETWORK_SOCKET = "network";

/** The result of a task. */
export interface ConversionResult {
  /** Path of the result in the task's folder. */
  readonly output: string;
  /** Whether the result is a zip of several files of the target format: pages, sheets, frames. */
  readonly bundled: boolean;
  readonly timings: readonly StepTiming[];
  /** Warnings for the client. */
  readonly warnings: readonly Warning[];
}
