import type { JobErrorCode } from "../../domain/errors.ts";
import type { StepTiming } from "../../domain/step-timing.ts";
import type { Warning } from "../../domain/warning.ts";

/** Messages of a converter process: percentages during the conversion, then a result or an error. */
export type ConverterMessage =
  | { readonly progress: number }
  | {
      readonly result: {
        readonly output: string;
        readonly bundled: boolean;
        readonly timings: readonly StepTiming[];
        readonly warnings: readonly Warning[];
      };
    }
  | { readonly made: BytesReply }
  /** The engine is ready for its next conversion. */
  | { readonly prepared: true }
  /** The conversion cannot be done with bytes. */
  | { readonly filesNeeded: true }
  /** The job must move to the lane with the helper of the conversion. */
  | { readonly helperNeeded: true }
  | { readonly error: ConverterError };

/** The detail is for the client, the cause for the log. */
export interface ConverterError {
  readonly code: JobErrorCode;
  readonly detail: string;
  readonly cause: string;
  /** Whether the engine of the first step refused the file, so another engine may read it. @default false */
  readonly isRefusal?: boolean | undefined;
}

/** The result of a conversion of bytes, which follow on the socket for bytes. */
export interface BytesReply {
  readonly outputBytes: number;
  readonly timings: readonly StepTiming[];
  readonly warnings: readonly Warning[];
}

/** The end of a conversion that has not failed. */
export type ConverterReply = Extract<
  ConverterMessage,
  { result: unknown } | { made: unknown } | { prepared: true } | { filesNeeded: true }
>;

/** Maximum length of a message to the client: it may contain names from a file, which can have any length. */
export const DETAIL_CHARACTERS_MAX = 1_000;
